package terms

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/net/html"
)

// realSites is pages of real sites, beside the repository where there are any: one folder a host.
const realSites = "../../../shared/data/web.tar.zst"

// realPages is every nth page of the real sites, up to a number.
func realPages(t testing.TB, nth, most int) [][]byte {
	f, err := os.Open(realSites)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no pages of real sites at " + realSites)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var pages [][]byte
	for files, n := tar.NewReader(z), 0; len(pages) < most; n++ {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".html") || n%nth != 0 {
			continue
		}
		page, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page)
	}
	return pages
}

// TestRealPages holds the scanner to the tokenizer on pages as they are.
func TestRealPages(t *testing.T) {
	pages := realPages(t, 17, 600)
	for _, page := range pages {
		compare(t, page)
	}
	if len(pages) < 100 {
		t.Errorf("only %d pages", len(pages))
	}
}

// benchPages is real pages, or where there are none some that are made up, with about 10 KB each.
func benchPages(b *testing.B) [][]byte {
	if _, err := os.Stat(realSites); err != nil {
		page := strings.Repeat(`<div class="note"><a href="/some/path?x=1" title="a title">A few words</a>, and some more of them &mdash; here.</div>`, 90)
		return [][]byte{[]byte(page)}
	}
	pages := realPages(b, 40, 300)
	for i, p := range pages {
		pages[i] = p[:min(len(p), 10_000)]
	}
	return pages
}

func BenchmarkHTML(b *testing.B) {
	pages, s := benchPages(b), new(Splitter)
	run(b, pages, func(page []byte) (n int) {
		for range s.HTML(page) {
			n++
		}
		return n
	})
}

// BenchmarkTokenizer is what x/net/html takes for the tags alone.
func BenchmarkTokenizer(b *testing.B) {
	run(b, benchPages(b), func(page []byte) (n int) {
		z := html.NewTokenizer(bytes.NewReader(page))
		for z.Next() != html.ErrorToken {
			n++
		}
		return n
	})
}

func run(b *testing.B, pages [][]byte, do func(page []byte) int) {
	bytes, n := 0, 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		page := pages[i%len(pages)]
		bytes += len(page)
		n += do(page)
	}
	b.SetBytes(int64(bytes / b.N))
	b.ReportMetric(float64(n)/float64(b.N), "found/op")
}
