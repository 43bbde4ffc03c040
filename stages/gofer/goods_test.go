package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/httphead"
)

// A few bytes that unfold to more than is allowed are told before any of them is added.
func TestUnfolded(t *testing.T) {
	env := &stage.Env{Files: output.NewRun(io.Discard), Report: report.New()}
	b := bounds{cut: 1 << 20, pages: 100, urls: 100}
	for name, c := range map[string]struct {
		goods   goods
		content []byte
		want    string
	}{
		"few URLs": {newURLGoods(env, "-", b), urlBatch(t, "http://a.test/\n"), ""},
		"many URLs": {newURLGoods(env, "-", b), urlBatch(t, strings.Repeat("http://a.test/\n", 10)),
			"more than the bound of 100 bytes"},
		"a line": {newURLGoods(env, "-", b), urlBatch(t, strings.Repeat("a", 1<<20)),
			"more than the bound of 100 bytes"},
		"a page": {newPageGoods(env, "-", "", b), pageBatch(t, "http://a.test/"), ""},
		"two pages": {newPageGoods(env, "-", "", b), pageBatch(t, "http://a.test/", "http://b.test/",
			"http://c.test/"), "more than 100 bytes together"},
		"a request": {newPageGoods(env, "-", "", bounds{cut: 1 << 20, pages: 60}), pageBatch(t, "http://a.test/"),
			"more than 60 bytes together"},
	} {
		err := c.goods.check(t.Context(), name, bytes.NewReader(c.content))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A warcinfo record stands in front of what is brought, and must be whole for that.
func TestWarcinfo(t *testing.T) {
	content := pageBatch(t, "http://a.test/")
	r := newRig(t)
	r.hold("arts", "warc.gz", 1, content)
	u := r.start()
	u.brought([]string{"http://a.test/"}, nil)

	w := warc.NewReader("", bytes.NewReader(content))
	if _, err := w.Next(); err != nil {
		t.Fatal(err)
	}
	end := len(w.Info())
	env := &stage.Env{Files: output.NewRun(io.Discard), Report: report.New()}
	check := func(content []byte) error {
		return newPageGoods(env, "-", "", bounds{cut: 1, pages: 1 << 20, urls: 1 << 20}).check(t.Context(), "batch",
			bytes.NewReader(content))
	}
	e := new(warc.Encoder)
	long := make([]byte, 2*maxInfo)
	for i := range long {
		long[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[rand.IntN(36)]
	}
	for size, want := range map[int]string{maxInfo: "", 2 * maxInfo: "warcinfo record"} {
		var fields httphead.Fields
		for part := range slices.Chunk(long[:size], 1000) {
			fields = append(fields, httphead.Field{Name: "software", Value: string(part)})
		}
		info, err := e.Info(time.UnixMilli(0), fields)
		if err != nil {
			t.Fatal(err)
		}
		info = slices.Concat(info, content[end:])
		if err := check(info); want == "" && err != nil || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("a warcinfo record of %d characters: %v, want %q", size, err, want)
		}
	}
	content[end-8] ^= 1 // its checksum, which nobody needs who reads pages
	if err := check(content); err == nil || !strings.Contains(err.Error(), "warcinfo record") {
		t.Errorf("a damaged warcinfo record: %v", err)
	}
}

func TestParseBatch(t *testing.T) {
	for name, want := range map[string]batch{
		"0123456789abcdef-000000000001-00001.warc.gz": {kind: pages, sum: 0x0123456789abcdef},
		"ffffffffffffffff-999999999999-99999.zst":     {kind: urls, sum: 1<<64 - 1},
	} {
		want.name = name
		if b, ok := parseBatch(name); !ok || b != want {
			t.Errorf("%s: %v, %v", name, b, ok)
		}
	}
	for _, name := range []string{"", "0123456789abcdef-000000000001-00001",
		"0123456789ABCDEF-000000000001-00001.zst", "0123456789abcdef-00000000001-00001.zst",
		"0123456789abcdef-000000000001-00001.zst\n", "x0123456789abcdef-000000000001-00001.zst",
		"0123456789abcdef-000000000001-00001.warcxgz"} {
		if b, ok := parseBatch(name); ok {
			t.Errorf("%q is taken for %v", name, b)
		}
	}
}

// What passes the check is added whole, and what is written of it is sound.
func FuzzPages(f *testing.F) {
	whole := pageBatch(f, "http://a.test/1", "http://a.test/2")
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(append(bytes.Clone(whole), "rubbish"...))
	f.Fuzz(func(t *testing.T, content []byte) {
		out := filepath.Join(t.TempDir(), "out.warc.gz")
		fuzzed(t, content, func(env *stage.Env) goods {
			return newPageGoods(env, out, "",
				bounds{cut: 1 << 20, pages: 1 << 20})
		}, func() (n int64) {
			return int64(len(pagesIn(t, out)))
		})
	})
}

func FuzzURLs(f *testing.F) {
	f.Add(urlBatch(f, "http://a.test/\tdepth=1\nhttp://b.test/"))
	f.Add([]byte("http://a.test/\n# no record\n"))
	f.Add(urlBatch(f, "\x1b\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		out := filepath.Join(t.TempDir(), "out.zst")
		fuzzed(t, content, func(env *stage.Env) goods {
			return newURLGoods(env, out,
				bounds{cut: 1 << 20, urls: 1 << 20})
		}, func() (n int64) {
			if err := urlbatch.Verify(t.Context(), out, nil); err == nil {
				r, _ := urlbatch.Open(out, nil)
				defer r.Close()
				for _, err := r.Next(); err == nil; _, err = r.Next() {
					n++
				}
			}
			return n
		})
	})
}

func fuzzed(t *testing.T, content []byte, make func(*stage.Env) goods, written func() int64) {
	env := &stage.Env{Files: output.NewRun(nil), Report: report.New()}
	g := make(env)
	if g.check(t.Context(), "batch", bytes.NewReader(content)) != nil {
		return
	}
	n, err := g.add(t.Context(), "arts", "batch", bytes.NewReader(content))
	if err != nil {
		t.Fatalf("it passed the check, but: %v", err)
	}
	if err := g.close(); err != nil {
		t.Fatal(err)
	}
	if got := written(); got != n {
		t.Errorf("%d records were added, %d are there", n, got)
	}
}
