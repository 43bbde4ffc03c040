package warc

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// foreign is a record in a member as other programs write it, without flush. The gzip header has
// what change puts there.
func foreign(t testing.TB, header, block string, change ...func(*gzip.Header)) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, do := range change {
		do(&z.Header)
	}
	fmt.Fprintf(z, "WARC/1.0\r\n%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", header, len(block), block)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// named gives a member a name.
func named(h *gzip.Header) { h.Name = "page" }

// skipped makes room for skip lengths, which withSkipLengths fills in.
func skipped(h *gzip.Header) {
	h.Extra = append([]byte(skipName), skipLength, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

func withSkipLengths(member []byte) []byte {
	binary.LittleEndian.PutUint32(member[skipOffset:], uint32(len(member)))
	copy(member[skipOffset+4:skipOffset+8], member[len(member)-4:])
	return member
}

const (
	foreignResponse = "WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n" +
		"WARC-Target-URI: <http://example.org/>\r\nContent-Type: application/http; msgtype=response"
	foreignRequest = "WARC-Type: request\r\nWARC-Record-ID: <urn:uuid:2>\r\nWARC-Concurrent-To: <urn:uuid:1>"
	foreignInfo    = "WARC-Type: warcinfo\r\nContent-Type: application/warc-fields"
	foreignDNS     = "WARC-Type: response\r\nWARC-Target-URI: dns:example.org\r\nContent-Type: text/dns"
	foreignMeta    = "WARC-Type: metadata\r\nWARC-Concurrent-To: <urn:uuid:1>"
)

func TestForeignFiles(t *testing.T) {
	response := foreign(t, foreignResponse, okHead+"\r\n\r\nbody")
	request := foreign(t, foreignRequest, "GET / HTTP/1.0\r\n\r\n")
	orphan := foreign(t, "WARC-Type: request\r\nWARC-Record-ID: <urn:uuid:3>\r\nWARC-Concurrent-To: <urn:uuid:4>",
		"GET /lost HTTP/1.0\r\n\r\n")
	info, dns, meta := foreign(t, foreignInfo, "software: x\r\n"), foreign(t, foreignDNS, "1.2.3.4"),
		foreign(t, foreignMeta, "")
	for _, c := range []struct {
		name    string
		members [][]byte
		request bool
	}{
		{"response first", [][]byte{info, dns, response, request, meta}, true},
		{"request first", [][]byte{info, request, response, meta}, true},
		{"request of another in front", [][]byte{orphan, response, request}, true},
		{"request of another behind", [][]byte{response, orphan}, false},
		{"response alone", [][]byte{response}, false},
		{"metadata between", [][]byte{response, meta, request}, false},
	} {
		r := reader(bytes.Join(c.members, nil))
		a := next(t, r)
		if a.URL() != "http://example.org/" || !bytes.Equal(a.Packed().Response, response) {
			t.Errorf("%s: URL %q, or another response", c.name, a.URL())
		}
		if got := a.Packed().Request; c.request && !bytes.Equal(got, request) || !c.request && got != nil {
			t.Errorf("%s: the request is not its own", c.name)
		}
		if body, whole, err := a.Body(100); string(body) != "body" || !whole || err != nil {
			t.Errorf("%s: body %q, %v, %v", c.name, body, whole, err)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: behind it: %v, want EOF", c.name, err)
		}
	}
}

// TestDamage changes one thing in a file of two answers, and wants the error and the offset of the
// member.
func TestDamage(t *testing.T) {
	first := file(t, testExchange(t, "http://example.org/a", okHead, "a"))
	second := file(t, testExchange(t, "http://example.org/b", okHead, strings.Repeat("body of b ", 99)))
	for _, c := range []struct {
		name, want string
		change     func(second []byte) []byte
	}{
		{"cut inside", "unexpected EOF", func(b []byte) []byte { return b[:100] }},
		{"cut in gzip header", "unexpected EOF", func(b []byte) []byte { return b[:7] }},
		{"other bytes", "no gzip member", func(b []byte) []byte { return []byte("hello, this is no gzip at all") }},
		{"skip length too long", "skip lengths", func(b []byte) []byte { b[skipOffset]++; return b }},
		{"skip length too short", "skip lengths", func(b []byte) []byte { b[skipOffset]--; return b }},
		{"skip length tiny", "skip lengths give", func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[skipOffset:], 5)
			return b
		}},
		{"skip length huge", "more than the bound",
			func(b []byte) []byte { binary.LittleEndian.PutUint32(b[skipOffset:], 1<<32-1); return b }},
		{"inflated length wrong", "skip lengths", func(b []byte) []byte { b[skipOffset+4]++; return b }},
		{"flipped bit in body", "inflate", func(b []byte) []byte { b[responseLength(b)-24] ^= 1; return b }},
		{"flipped bit in checksum", "checksum", func(b []byte) []byte { b[responseLength(b)-8] ^= 1; return b }},
		{"skip lengths over two members", "more than one member", func(b []byte) []byte { return withSkipLengths(b) }},
		{"not WARC", "want WARC/1", func(b []byte) []byte { return gzipped("HTTP/1.1 200 OK\r\n\r\n") }},
		{"no length", "Content-Length", func(b []byte) []byte {
			return gzipped("WARC/1.1\r\nWARC-Type: response\r\n\r\n")
		}},
		{"length negative", "Content-Length", func(b []byte) []byte { return record("-1", "x") }},
		{"length beyond bound", "more than the bound", func(b []byte) []byte { return record("99999999999", "x") }},
		{"block too short", "Content-Length says 50", func(b []byte) []byte { return record("50", "x") }},
		{"block too long", "compress each record", func(b []byte) []byte { return record("1", "xyz") }},
		{"endless header", "does not end within", func(b []byte) []byte {
			return gzipped("WARC/1.1\r\n" +
				strings.Repeat("a: b\r\n", 1<<16))
		}},
	} {
		r := reader(append(bytes.Clone(first), c.change(bytes.Clone(second))...))
		next(t, r)
		a, err := r.Next()
		if err == nil {
			_, err = a.Block()
		}
		var damage *DamageError
		if !errors.As(err, &damage) || !strings.Contains(err.Error(), c.want) || damage.Offset != int64(len(first)) {
			t.Errorf("%s: %v; want %q at byte %d", c.name, err, c.want, len(first))
		}
		if _, err := r.Next(); err == nil {
			t.Errorf("%s: another answer behind the damage", c.name)
		}
	}
}

func gzipped(s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.Bytes()
}

func record(length, block string) []byte {
	return gzipped("WARC/1.1\r\nWARC-Type: revisit\r\nContent-Length: " + length + "\r\n\r\n" + block + "\r\n\r\n")
}

// TestBombIsBounded holds that a small file cannot make the reader hold more than its bounds.
func TestBombIsBounded(t *testing.T) {
	r := reader(gzipped("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\n" + strings.Repeat("a", 4<<20)))
	r.MaxRecord = 1 << 20
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "more than the bound") {
		t.Errorf("Next: %v", err)
	}
}

func responseLength(b []byte) int { return int(binary.LittleEndian.Uint32(b[skipOffset:])) }
