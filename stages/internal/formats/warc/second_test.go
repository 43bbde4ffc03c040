package warc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"testing"
)

// TestSecondOpinion reads a file of every kind of record by the standard library, and computes
// every digest.
func TestSecondOpinion(t *testing.T) {
	z, err := gzip.NewReader(bytes.NewReader(append(goldenFile(t), goldenSecondFile(t)...)))
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(z)
	kinds, payloads := map[string]int{}, 0
	for _, err := in.Peek(1); err != io.EOF; _, err = in.Peek(1) {
		h, block := second(t, in)
		kind, uri := h.Get("WARC-Type"), h.Get("WARC-Target-URI")
		kinds[kind]++
		if got, want := sumOf(block), h.Get("WARC-Block-Digest"); got != want {
			t.Errorf("%s of %s: block digest %s, want %s", kind, uri, got, want)
		}
		if want := h.Get("WARC-Payload-Digest"); kind == "response" && want != "" {
			payloads++
			if got := payloadDigest(t, block); got != want {
				t.Errorf("%s: payload digest %s, want %s", uri, got, want)
			}
		}
	}
	if kinds["warcinfo"] != 1 || kinds["response"] != 5 || kinds["request"] != 9 || kinds["revisit"] != 4 ||
		payloads != 4 {
		t.Errorf("records read: %v with %d payload digests", kinds, payloads)
	}
}

// second reads a record.
func second(t *testing.T, in *bufio.Reader) (textproto.MIMEHeader, []byte) {
	t.Helper()
	text := textproto.NewReader(in)
	if version, err := text.ReadLine(); err != nil || version != "WARC/1.1" {
		t.Fatalf("a record begins with %q, %v", version, err)
	}
	h, err := text.ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	size, err := strconv.Atoi(h.Get("Content-Length"))
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, size+len("\r\n\r\n"))
	if _, err := io.ReadFull(in, block); err != nil || string(block[size:]) != "\r\n\r\n" {
		t.Fatalf("a block of %d bytes ends in %q, %v", size, block[size:], err)
	}
	return h, block[:size]
}

func payloadDigest(t *testing.T, block []byte) string {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return sumOf(body)
}

func sumOf(b []byte) string {
	sum := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
