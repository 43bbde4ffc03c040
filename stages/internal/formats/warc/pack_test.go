package warc

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"weak"
)

// TestMembers: the standard library reads what was encoded, the heads stand before a flush; the
// same answer gives the same bytes, whatever the encoder made before.
func TestMembers(t *testing.T) {
	e := new(Encoder)
	for name, x := range map[string]*Exchange{
		"page":     testExchange(t, "http://example.org/a\tdepth=1", okHead, prose(20_000)),
		"empty":    testExchange(t, "http://example.org/empty", okHead, ""),
		"long URL": testExchange(t, "http://example.org/"+strings.Repeat("a/b", 9000), okHead, "body"),
		"no head":  testExchange(t, "http://example.org/headless", "", "no status line"),
		"binary":   testExchange(t, "http://example.org/binary", okHead, noise(100_000)),
	} {
		p, err := new(Encoder).Encode(x)
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.Encode(x)
		if err != nil || !bytes.Equal(p.Response, again.Response) || !bytes.Equal(p.Request, again.Request) {
			t.Errorf("%s: other bytes of an encoder that made others before, %v", name, err)
		}
		got := append(gunzip(t, p.Response), gunzip(t, p.Request)...)
		if !bytes.Contains(got, x.Response) || !bytes.Contains(got, x.Request) {
			t.Errorf("%s: other records than were encoded", name)
		}
		if inflateAll(t, p.Response) == nil {
			t.Errorf("%s: not read", name)
		}
		if flushed := bytes.Contains(p.Response, []byte{0, 0, 0xff, 0xff}); flushed != (name != "empty") {
			t.Errorf("%s: flush %v", name, flushed)
		}
	}
}

// TestLargeAnswer: what a large answer took of memory is not kept, and its bytes stay the caller's.
func TestLargeAnswer(t *testing.T) {
	large := testExchange(t, "http://example.org/large", okHead, noise(2<<20))
	headless := testExchange(t, "http://example.org/headless", okHead, "")
	headless.Request = []byte(noise(2 << 20))
	e := new(Encoder)
	for _, x := range []*Exchange{large, headless} {
		p, err := e.Encode(x)
		if err != nil {
			t.Fatal(err)
		}
		if cap(e.text) > maxKept || cap(e.out) > maxKept {
			t.Errorf("%s: buffers of %d and %d bytes are kept", x.Record.URL(), cap(e.text), cap(e.out))
		}
		if _, err := e.Encode(testExchange(t, "http://example.org/next", okHead, prose(20_000))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(gunzip(t, p.Response), x.Response) || !bytes.Contains(gunzip(t, p.Request), x.Request) {
			t.Errorf("%s: other bytes after the next answer", x.Record.URL())
		}
	}
}

// TestStreamGivesAll: an encoder keeps nothing of a stream that it gave.
func TestStreamGivesAll(t *testing.T) {
	e := new(Encoder)
	e.deflate.Reset(nil)
	e.deflate.Write([]byte(noise(1 << 20)))
	given := weak.Make(&e.deflate.Close(nil)[0])
	runtime.GC()
	if given.Value() != nil {
		t.Error("what was given is still held")
	}
	runtime.KeepAlive(e)
}

// gunzip reads one member by the standard library, which tries its checksum and size.
func gunzip(t *testing.T, member []byte) []byte {
	t.Helper()
	src := bytes.NewReader(member)
	z, err := gzip.NewReader(src)
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false)
	b, err := io.ReadAll(z)
	if err != nil || src.Len() != 0 {
		t.Fatalf("%d bytes, then %v; %d bytes behind the member", len(b), err, src.Len())
	}
	return b
}

// prose is n bytes of words, no two sentences alike.
func prose(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 2000)
	for i := range words {
		word := make([]byte, 2+r.IntN(9))
		for k := range word {
			word[k] = "etaoinshrdlu"[r.IntN(12)]
		}
		words[i] = string(word)
	}
	var b strings.Builder
	for b.Len() < n {
		b.WriteString("<p>")
		for range 8 + r.IntN(12) {
			b.WriteString(words[min(r.IntN(2000), r.IntN(2000))])
			b.WriteByte(' ')
		}
	}
	return b.String()[:n]
}

// noise is n bytes that no compressor makes fewer.
func noise(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return string(b)
}

// BenchmarkEncode has as a metric the bytes that an answer takes.
func BenchmarkEncode(b *testing.B) {
	const size, n = 13_700, 64
	text := prose(size * n)
	var answers []*Exchange
	for ; text != ""; text = text[size:] {
		x := testExchange(b, "http://h023.test/d0/p00017.html\tdepth=4\tvia=http://h023.test/d7/p00176.html",
			okHead+"\r\nContent-Length: 13700\r\nEtag: \"415a68cf3afc28a4\"\r\nDate: Sun, 22 Nov 2026 01:08:32 GMT",
			text[:size])
		x.Request = []byte("GET /d0/p00017.html HTTP/1.1\r\nHost: h023.test\r\n" +
			"User-Agent: tourbot/1.0 (+https://example.org/tourbot)\r\n" +
			"Accept: */*\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n")
		answers = append(answers, x)
	}
	e := new(Encoder)
	b.SetBytes(size)
	b.ReportAllocs()
	written, i := 0, 0
	for b.Loop() {
		p, err := e.Encode(answers[i%n])
		if err != nil {
			b.Fatal(err)
		}
		written += len(p.Response) + len(p.Request)
		i++
	}
	b.ReportMetric(float64(written)/float64(i), "written/op")
}

// FuzzEncode holds what the standard library and the Reader find in members to what was encoded.
func FuzzEncode(f *testing.F) {
	f.Add([]byte(okHead+"\r\n\r\n<p>hello hello hello"), []byte("GET / HTTP/1.1\r\n\r\n"), uint16(0))
	f.Add([]byte("\x00"), []byte("\n"), uint16(9000))
	e := new(Encoder)
	f.Fuzz(func(t *testing.T, response, request []byte, times uint16) {
		x := testExchange(t, "http://example.org/", "", "")
		x.Response = append(bytes.Clone(response), bytes.Repeat(response, int(times)%(1+100_000/(len(response)+1)))...)
		x.Request = request
		p, err := e.Encode(x)
		if (err != nil) != (len(response) == 0 || len(request) == 0) {
			t.Fatalf("encode: %v", err)
		}
		if err != nil {
			return
		}
		if !bytes.HasSuffix(gunzip(t, p.Response), append(bytes.Clone(x.Response), recordEnd...)) ||
			!bytes.HasSuffix(gunzip(t, p.Request), append(bytes.Clone(request), recordEnd...)) {
			t.Error("the standard library reads other records than were encoded")
		}
		a := next(t, reader(append(bytes.Clone(p.Response), p.Request...)))
		if block, err := a.Block(); err != nil || !bytes.Equal(block, x.Response) {
			t.Errorf("response read: %d bytes of %d, %v", len(block), len(x.Response), err)
		}
		if block, err := a.RequestBlock(); err != nil || !bytes.Equal(block, request) {
			t.Errorf("request read: %d bytes of %d, %v", len(block), len(request), err)
		}
	})
}
