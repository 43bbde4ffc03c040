package exchange

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"multitext/stages/internal/formats/coding"
)

// FuzzAnswer feeds answers to the parser. Head and body together must be what was sent, up
// to where the answer ends; and where net/http finds the same bytes a whole answer too, the
// two must agree on its end.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\nA: b\r\n\r\nrest"))
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404\n\nx"))
	f.Add([]byte("HTTP/1.1 204 \r\n X: y\r\n\tfolded\r\n:\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		const limit = 1 << 16
		br := bufio.NewReaderSize(bytes.NewReader(raw), 64)
		h, got, err := readHead(br, limit)
		if err != nil {
			return
		}
		if !bytes.HasSuffix(raw[:got], h.raw) || h.status < 200 || h.status > 999 {
			t.Fatalf("head %q of status %d is not what was sent", h.raw, h.status)
		}
		var s Spool
		how, length := framingOf(h)
		bodyErr := (&bodyReader{br, &s, limit}).read(how, length)
		body, _ := io.ReadAll(s.Reader())
		if !bytes.HasPrefix(raw[got:], body) {
			t.Fatalf("body %q is not what was sent behind the head", body)
		}
		if _, whole := coding.Dechunk(body); bodyErr == nil && how == byChunks && !whole {
			t.Fatalf("chunks %q cannot be undone", body)
		}
		if bodyErr == nil {
			compare(t, raw[got-len(h.raw):], len(h.raw)+len(body))
		}
	})
}

// compare reads the answer with net/http and checks that it ends at the same byte.
func compare(t *testing.T, raw []byte, end int) {
	src := bytes.NewReader(raw)
	br := bufio.NewReader(src)
	resp, err := http.ReadResponse(br, nil)
	if err != nil || resp.StatusCode < 200 || strings.ContainsAny(string(raw), "\x00") {
		return // net/http is stricter with heads
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil || n > 1<<15 {
		return
	}
	if want := len(raw) - src.Len() - br.Buffered(); end != want {
		t.Errorf("answer %q ends at %d, net/http ends it at %d", raw, end, want)
	}
}

// BenchmarkSmallestChunks moves a body of chunks of one byte each, which a server sends to be a
// burden.
func BenchmarkSmallestChunks(b *testing.B) {
	body := strings.Repeat("1\r\nx\r\n", 1_000_000/6)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var s Spool
		in := bufio.NewReaderSize(strings.NewReader(body+"0\r\n\r\n"), readBuffer)
		if err := (&bodyReader{in, &s, 1 << 30}).read(byChunks, 0); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
