package warc

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"runtime"
	"strings"
	"testing"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/web/httphead"
)

func deflated(s string) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, 6)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func zlibbed(s string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func TestBody(t *testing.T) {
	long := strings.Repeat("abcdefgh", 1000)
	zip := string(gzipped(long))
	for _, c := range []struct {
		name, fields, raw string
		want              string
		whole             bool
		err               error
	}{
		{"plain", "", "hello", "hello", true, nil},
		{"empty", "", "", "", true, nil},
		{"limit", "", long + "x", long, false, nil},
		{"gzip", "Content-Encoding: gzip", zip, long, true, nil},
		{"x-gzip in capitals", "content-encoding: X-GZIP", zip, long, true, nil},
		{"zlib", "Content-Encoding: deflate", zlibbed(long), long, true, nil},
		{"bare deflate", "Content-Encoding: deflate", deflated(long), long, true, nil},
		{"two layers", "Content-Encoding: deflate, gzip", string(gzipped(zlibbed(long))), long, true, nil},
		{"three layers", "Content-Encoding: gzip, gzip, gzip", zip, "", false, coding.ErrUnknown},
		{"unknown", "Content-Encoding: zip\x1b[1m", zip, "", false, coding.ErrUnknown},
		{"identity", "Content-Encoding: identity", "hello", "hello", true, nil},
		{"gzip breaks off", "Content-Encoding: gzip", zip[:len(zip)-9], long, false, nil},
		{"no gzip at all", "Content-Encoding: gzip", "hello", "", false, nil},
		{"bomb", "Content-Encoding: gzip", string(gzipped(long + long)), long, false, nil},
		{"chunked", "Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n", "hello", true, nil},
		{"chunked and gzip", "Transfer-Encoding: chunked\r\nContent-Encoding: gzip",
			"3\n" + zip[:3] + "\nFFF\r\n" + zip[3:], long, false, nil},
		{"chunks break off", "Transfer-Encoding: chunked", "3\r\nhel\r\n9\r\nlo", "hello", false, nil},
		{"chunk with many zeros", "Transfer-Encoding: chunked", "00000000000000000005\r\nhello\r\n0000\r\n\r\n",
			"hello", true, nil},
		{"chunk with a long line", "Transfer-Encoding: chunked", "5;" + long + long + long + "\r\nhello\r\n0\r\n\r\n",
			"5;" + long[:len(long)-2], false, nil},
		{"chunk of 2^63", "Transfer-Encoding: chunked", "8000000000000000\r\nhel", "8000000000000000\r\nhel", true,
			nil},
		{"chunk of less", "Transfer-Encoding: chunked", "+5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", true,
			nil},
		{"chunk of 2^64", "Transfer-Encoding: chunked", "ffffffffffffffff\r\nhel", "ffffffffffffffff\r\nhel", true,
			nil},
		{"chunks undone by another archive", "Transfer-Encoding: chunked", "<html>\n", "<html>\n", true, nil},
	} {
		x := testExchange(t, "http://example.org/", strings.TrimSpace("HTTP/1.1 200 OK\r\n"+c.fields), c.raw)
		body, whole, err := next(t, reader(file(t, x))).Body(int64(len(long)))
		if string(body) != c.want || whole != c.whole || !errors.Is(err, c.err) {
			t.Errorf("%s: %.40q (%d bytes), %v, %v; want %.40q (%d), %v, %v",
				c.name, body, len(body), whole, err, c.want, len(c.want), c.whole, c.err)
		}
	}
}

// TestBodyBombIsBounded holds that what lies beyond the limit is not inflated.
func TestBodyBombIsBounded(t *testing.T) {
	bomb := gzipped(strings.Repeat("a", 64<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	body, whole, err := new(coding.Undoer).Undo(bomb, []string{"gzip"}, 1000)
	runtime.ReadMemStats(&after)
	if len(body) != 1000 || whole || err != nil {
		t.Errorf("%d bytes, %v, %v", len(body), whole, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes of memory for 1,000 of body", n)
	}
}

func TestHTTPHead(t *testing.T) {
	for _, c := range []struct {
		block  string
		status int
		header httphead.Fields
	}{
		{"HTTP/1.1 200 OK\r\nA: b\r\nC:d\r\n\r\nbody", 200,
			httphead.Fields{{Name: "A", Value: "b"}, {Name: "C", Value: "d"}}},
		{"HTTP/1.0 404\n\n", 404, nil},
		{"HTTP/1.1  301 \r\nLocation: /x\r\n", 301, httphead.Fields{{Name: "Location", Value: "/x"}}},
		{"HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\nbroken\r\n: empty\r\nA: d\r\n\r\n", 200,
			httphead.Fields{{Name: "A", Value: "b c"}, {Name: "A", Value: "d"}}},
		{"<html>no head", 0, nil},
		{"HTTP/1.1 2000 OK\r\n\r\n", 0, nil},
		{"HTTP/1.1 abc\r\n\r\n", 0, nil},
		{"HTTP/1.1 200 OK\r\n" + strings.Repeat("a: b\r\n", MaxHead/6), 0, nil},
	} {
		x := testExchange(t, "http://example.org/", "", "")
		x.Response = []byte(c.block)
		h, err := next(t, reader(file(t, x))).HTTP()
		if c.status == 0 {
			if err == nil {
				t.Errorf("%.40q: status %d, want an error", c.block, h.Status)
			}
			continue
		}
		if err != nil || h.Status != c.status || len(h.Header) != len(c.header) {
			t.Errorf("%.40q: %v, %v", c.block, h, err)
			continue
		}
		for i := range c.header {
			if h.Header[i] != c.header[i] {
				t.Errorf("%.40q: field %v, want %v", c.block, h.Header[i], c.header[i])
			}
		}
	}
}
