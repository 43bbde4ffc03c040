package warc

import (
	"crypto/sha1"
	"strings"
	"testing"
)

// TestWholeDigest: the digest of a page's whole content without its chunks, and of what is no such
// content none.
func TestWholeDigest(t *testing.T) {
	sum := digest([]byte("hello"))
	ours := func(head, body, truncated string, of *Original) []byte {
		x := testExchange(t, "http://example.org/", head, body)
		x.Truncated, x.Unchanged = truncated, of
		return file(t, x)
	}
	theirs := func(header string) []byte {
		header += "\r\nWARC-Target-URI: http://example.org/\r\nContent-Type: application/http;msgtype=response"
		return foreign(t, header, okHead+"\r\n\r\nhello")
	}
	for _, c := range []struct {
		name string
		file []byte
		ok   bool
	}{
		{"a page", ours(okHead, "hello", "", nil), true},
		{"in chunks", ours(okHead+"\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", "", nil), true},
		{"created", ours("HTTP/1.1 201 Created", "hello", "", nil), true},
		{"a part", ours("HTTP/1.1 206 Partial", "hello", "", nil), false},
		{"an error", ours("HTTP/1.1 404 x", "hello", "", nil), false},
		{"empty", ours(okHead, "", "", nil), false},
		{"chunks that break off", ours(okHead+"\r\nTransfer-Encoding: chunked", "5\r\nhel", "", nil), false},
		{"cut", ours(okHead, "hello", "length", nil), false},
		{"not modified", ours("HTTP/1.1 304 x", "", "", &Original{URL: "http://example.org/"}), false},
		{"no HTTP", ours("hello", "hello", "", nil), false},
		{"another program's", theirs("WARC-Type: response\r\nWARC-Payload-Digest: " + sum), true},
		{"another program's, cut", theirs("WARC-Type: response\r\nWARC-Truncated: time\r\nWARC-Payload-Digest: " +
			sum), false},
		{"another program's revisit", theirs("WARC-Type: revisit\r\nWARC-Payload-Digest: " + sum), false},
		{"another program's digest", theirs("WARC-Type: response\r\nWARC-Payload-Digest: md5:XUFAKRXLKNKRA==="), false},
	} {
		got, ok, err := next(t, reader(c.file)).WholeDigest()
		if ok != c.ok || err != nil || ok && got != sha1.Sum([]byte("hello")) {
			t.Errorf("%s: %x, %v, %v", c.name, got, ok, err)
		}
	}
}

// TestParseDigest: capitals do not count, and what base 32 passes over is no part of a digest.
func TestParseDigest(t *testing.T) {
	sum := digest([]byte("hello"))
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{sum, true},
		{strings.ToLower(sum), true},
		{"SHA1:" + sum[5:], true},
		{sum[:36], false},
		{"md5::" + sum[5:], false},
		{sum[:10] + strings.Repeat("\r", 8) + sum[18:], false},
		{sum[:10] + "1" + sum[11:], false},
	} {
		got, err := parseDigest(c.text)
		if (err == nil) != c.ok || c.ok && got != sha1.Sum([]byte("hello")) {
			t.Errorf("%q: %x, %v", c.text, got, err)
		}
	}
}
