package warc

import (
	"bytes"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/deflate"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/web/httphead"
)

// The files of testdata/v1 are of this profile as they were first written, and are kept for ever;
// the others have what came to it later. The compressor may change what it writes, so the test
// compares records, not compressed bytes.
const (
	golden       = "testdata/v1/pages.warc.gz"
	goldenSecond = "testdata/v1/protocols.warc.gz"
	goldenThird  = "testdata/v1/marked.warc.gz"
)

var update = flag.String("update", "", "write this golden `FILE` anew: only for a new version of the profile")

// goldenFile is what the golden file was made from.
func goldenFile(t *testing.T) []byte {
	e := new(Encoder)
	info, err := e.Info(testDate, httphead.Fields{{Name: "software", Value: "multitext"},
		{Name: "format", Value: "WARC File Format 1.1"}, {Name: "robots", Value: "obey"}})
	if err != nil {
		t.Fatal(err)
	}
	page := testExchange(t, "http://example.org/a\tdepth=1\tvia=http://example.org/", okHead,
		"<p>"+strings.Repeat("golden ", 50))
	cut := testExchange(t, "http://example.org/cut", okHead+"\r\nContent-Length: 99", "cut")
	cut.Truncated = "disconnect"
	chunked := testExchange(t, "https://example.org/chunked?q", okHead+"\r\nTransfer-Encoding: chunked",
		"3\r\nabc\r\n0\r\n\r\n")
	moved := testExchange(t, "http://example.org/old", "HTTP/1.1 301 Moved Permanently\r\nLocation: /a", "")

	revisit, err := e.Revisit(next(t, reader(file(t, page))), Original{URL: "http://example.org/first", Date: testDate})
	if err != nil {
		t.Fatal(err)
	}
	b := append(info, file(t, page, cut, chunked, moved)...)
	return append(append(b, revisit.Response...), revisit.Request...)
}

// goldenSecondFile is what the second golden file was made from: an answer over HTTP/2 and its
// duplicate, a 304, and one that does not know what it refers to.
func goldenSecondFile(t *testing.T) []byte {
	e := new(Encoder)
	page := testExchange(t, "https://example.org/a\tdepth=1", "HTTP/1.1 200 \r\netag: \"1\"", "<p>golden")
	page.Protocols = []string{"h2", "tls/1.3"}
	unchanged := testExchange(t, "http://example.org/304", "HTTP/1.1 304 Not Modified\r\nETag: \"1\"", "")
	unchanged.Unchanged = &Original{URL: "http://example.org/304", Date: testDate.Add(-time.Hour)}
	unknown := testExchange(t, "http://example.org/304?", "HTTP/1.1 304 Not Modified", "")
	unknown.Unchanged = &Original{URL: "http://example.org/304?"}
	b := file(t, page, unchanged, unknown)
	revisit, err := e.Revisit(next(t, reader(b)), Original{URL: "https://example.org/first", Date: testDate})
	if err != nil {
		t.Fatal(err)
	}
	return append(append(b, revisit.Response...), revisit.Request...)
}

// goldenThirdFile is what the third golden file was made from: an answer whose attributes were
// changed, as its request tells, and one without a request, where the response does.
func goldenThirdFile(t *testing.T) []byte {
	e := new(Encoder)
	var b []byte
	page := file(t, testExchange(t, "http://example.org/a\tdepth=1", okHead, "<p>golden"))
	for _, made := range [][]byte{page, next(t, reader(page)).Packed().Response} {
		marked, err := e.WithAttribute(next(t, reader(made)), urlbatch.Label, "arts")
		if err != nil {
			t.Fatal(err)
		}
		b = append(append(b, marked.Response...), marked.Request...)
	}
	return b
}

func TestGolden(t *testing.T) {
	testGolden(t, golden, goldenFile(t),
		"http://example.org/a http://example.org/cut https://example.org/chunked?q "+
			"http://example.org/old revisit http://example.org/a")
	testGolden(t, goldenSecond, goldenSecondFile(t),
		"https://example.org/a unchanged http://example.org/304 unchanged http://example.org/304? "+
			"revisit https://example.org/a")
	testGolden(t, goldenThird, goldenThirdFile(t), "http://example.org/a http://example.org/a")
	kept, err := os.ReadFile(goldenThird)
	if err != nil {
		t.Fatal(err)
	}
	for r, n := reader(kept), 0; n < 2; n++ {
		if got := string(next(t, r).Record().Line()); got != "http://example.org/a\tdepth=1\tlabel=arts" {
			t.Errorf("answer %d of the third: %q", n, got)
		}
	}
}

func testGolden(t *testing.T, path string, made []byte, want string) {
	t.Helper()
	if *update == path {
		if err := os.WriteFile(path, made, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := inflateAll(t, made), inflateAll(t, kept); !bytes.Equal(got, want) {
		t.Errorf("the profile has changed: written\n%s\nkept\n%s", got, want)
	}
	r := reader(kept)
	var urls []string
	for {
		a, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Block(); err != nil {
			t.Error(err)
		}
		switch {
		case a.NotModified():
			urls = append(urls, "unchanged")
		case a.Revisit():
			urls = append(urls, "revisit")
		}
		urls = append(urls, a.URL())
	}
	if got := strings.Join(urls, " "); got != want {
		t.Errorf("URLs %s, want %s", got, want)
	}
}

// inflateAll returns the records of a file, without the skip lengths that depend on the compressor.
func inflateAll(t *testing.T, b []byte) []byte {
	t.Helper()
	var out []byte
	for s := newSplitter(bytes.NewReader(b)); ; {
		m := &member{tables: new(deflate.Inflater)}
		err := s.next(m, MaxRecord)
		if err == io.EOF {
			return out
		}
		if err == nil {
			err = m.open(MaxRecord)
		}
		if err == nil {
			_, err = m.whole()
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m.Plain...)
	}
}

// FuzzReader feeds the reader strangers' bytes: it must end, within its bounds, and copy only what
// it read.
func FuzzReader(f *testing.F) {
	kept, err := os.ReadFile(golden)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept)
	f.Add(kept[:len(kept)-3])
	f.Add(foreign(f, foreignResponse,
		okHead+"\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\n\x1f\x8b\x08"))
	f.Add(foreign(f, foreignRequest, ""))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := reader(b)
		r.MaxRecord = 1 << 20
		copied := 0
		for {
			a, err := r.Next()
			if err != nil {
				break
			}
			copied += len(a.Packed().Response) + len(a.Packed().Request)
			a.HTTP()
			if body, _, _ := a.Body(1 << 16); len(body) > 1<<16 {
				t.Errorf("body of %d bytes", len(body))
			}
			if line := a.Record().Line(); bytes.ContainsAny(line, "\n\r ") {
				t.Errorf("record is no line: %q", line)
			}
		}
		if copied > len(b) {
			t.Errorf("%d bytes to copy from a file of %d", copied, len(b))
		}
	})
}

// FuzzBody feeds HTTP of strangers' making to everything that parses it.
func FuzzBody(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n" + zlibbed("abc")))
	f.Add([]byte("HTTP/1.1 200 OK\nContent-Encoding: gzip, deflate\n x\n\n\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, raw := splitHTTP(b)
		if h == nil {
			return
		}
		payload, _ := h.dechunk(raw)
		if len(payload) > len(raw) {
			t.Errorf("payload of %d bytes from %d", len(payload), len(raw))
		}
		if body, _, _ := new(coding.Undoer).Undo(payload, coding.Names(h.Header.Values("Content-Encoding")),
			1<<16); len(body) > 1<<16 {
			t.Errorf("body of %d bytes", len(body))
		}
	})
}

// benchmarkRead does one thing with each answer of a long file; a turn of the loop is one answer.
func benchmarkRead(b *testing.B, page []byte, do func(*Answer) error) {
	src := bytes.Repeat(page, 100)
	r := reader(src)
	for b.Loop() {
		a, err := r.Next()
		if err == io.EOF {
			r = reader(src)
			a, err = r.Next()
		}
		if err == nil {
			err = do(a)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

const words = "some words of a page that are not all alike "

func ownPage(b *testing.B) []byte {
	x := testExchange(b, "http://example.org/a", okHead, strings.Repeat(words, 300))
	b.SetBytes(int64(len(x.Response)))
	return file(b, x)
}

func BenchmarkReadBody(b *testing.B) {
	benchmarkRead(b, ownPage(b), func(a *Answer) error { _, _, err := a.Body(1 << 20); return err })
}

func BenchmarkReadHead(b *testing.B) {
	benchmarkRead(b, ownPage(b), func(a *Answer) error { _, err := a.HTTP(); return err })
}

func BenchmarkCopy(b *testing.B) {
	w := NewWriter(output.NewRun(io.Discard), output.Stdout, nil)
	benchmarkRead(b, ownPage(b), func(a *Answer) error { return w.Write(a.Packed()) })
}

// BenchmarkReadForeign reads the bodies of a file without skip lengths and flushes.
func BenchmarkReadForeign(b *testing.B) {
	block := okHead + "\r\n\r\n" + strings.Repeat(words, 300)
	b.SetBytes(int64(len(block)))
	page := append(foreign(b, foreignResponse, block), foreign(b, foreignRequest, "GET / HTTP/1.0\r\n\r\n")...)
	benchmarkRead(b, page, func(a *Answer) error { _, err := a.Block(); return err })
}
