package deflate

import (
	"bytes"
	"flag"
	"testing"

	klauspost "github.com/klauspost/compress/flate"

	"multitext/classify/testkit"
)

// everyPage is which of the 12,000 real pages are tried.
var everyPage = flag.Int("every-page", 30, "compress each of so many pages of real sites; 1 takes a minute")

// pages gives each of so many real pages.
func pages(tb testing.TB, each int) (pages [][]byte) {
	tb.Helper()
	testkit.Pages(tb, each, func(_ string, page []byte) bool {
		pages = append(pages, page)
		return true
	})
	return pages
}

// reference is level 1 of klauspost's compressor, which is what a body would be written by without
// this package.
type reference struct {
	w   *klauspost.Writer
	out bytes.Buffer
}

func (r *reference) deflate(tb testing.TB, b []byte) []byte {
	if r.w == nil {
		w, err := klauspost.NewWriter(nil, 1)
		if err != nil {
			tb.Fatal(err)
		}
		r.w = w
	}
	r.out.Reset()
	r.w.Reset(&r.out)
	r.w.Write(b)
	if err := r.w.Close(); err != nil {
		tb.Fatal(err)
	}
	return r.out.Bytes()
}

// TestRealPages: real pages come out as they were, and all in all no larger than of the reference.
func TestRealPages(t *testing.T) {
	var e Encoder
	var r reference
	in, ours, theirs := 0, 0, 0
	for _, page := range pages(t, *everyPage) {
		e.Reset(nil)
		e.Write(page)
		stream := e.Close(nil)
		if !bytes.Equal(inflate(t, stream), page) {
			t.Fatalf("a page came out different: %.200q", page)
		}
		in, ours, theirs = in+len(page), ours+len(stream), theirs+len(r.deflate(t, page))
	}
	t.Logf("%d bytes: %d, of the reference %d", in, ours, theirs)
	if ours > theirs {
		t.Errorf("%d bytes from %d, more than the reference's %d", ours, in, theirs)
	}
}

// BenchmarkPages has a metric for each compressor's ratio: size before by size after.
func BenchmarkPages(b *testing.B) {
	all := pages(b, 40)
	var e Encoder
	var buf []byte
	benchmark(b, "own", all, func(page []byte) int {
		e.Reset(buf[:0])
		e.Write(page)
		buf = e.Close(nil)
		return len(buf)
	})
	var r reference
	benchmark(b, "klauspost", all, func(page []byte) int { return len(r.deflate(b, page)) })
}

// BenchmarkHead is the head of an answer, up to the flush.
func BenchmarkHead(b *testing.B) {
	var e Encoder
	var buf []byte
	heads := [][]byte{[]byte(head)}
	benchmark(b, "own", heads, func(head []byte) int {
		e.Reset(buf[:0])
		e.Short(head)
		e.Flush()
		buf = e.w.out
		return len(buf)
	})
	var r reference
	benchmark(b, "klauspost", heads, func(head []byte) int { return len(r.deflate(b, head)) })
}

func benchmark(b *testing.B, name string, texts [][]byte, deflate func([]byte) int) {
	b.Run(name, func(b *testing.B) {
		in, out := 0, 0
		for i := 0; b.Loop(); i++ {
			text := texts[i%len(texts)]
			in += len(text)
			out += deflate(text)
		}
		b.SetBytes(int64(in / b.N))
		b.ReportMetric(float64(in)/float64(out), "ratio")
	})
}

const head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:d6a6fd6a-49d5-8a76-8cd8-68ba07bca7e7>\r\n" +
	"WARC-Date: 2026-11-22T01:08:32.852Z\r\nWARC-Target-URI: http://h023.test/d0/p00017.html\r\nWARC-IP-Address: 127.0.0.1\r\n" +
	"Content-Type: application/http;msgtype=response\r\nWARC-Payload-Digest: sha1:ARND5JWJS4UPOUPSA724EPGC5DUGBIU5\r\n" +
	"WARC-Block-Digest: sha1:PNGJXXIAXKY2DAGZEBPRARUXTVJBQOG3\r\nMultitext-Attributes: depth=4 via=http://h023.test/d7/p00176.html\r\n" +
	"Content-Length: 14568\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 14423\r\nContent-Type: text/html; charset=utf-8\r\n" +
	"Etag: \"415a68cf3afc28a4\"\r\nDate: Sun, 22 Nov 2026 01:08:32 GMT\r\n\r\n"
