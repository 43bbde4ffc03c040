package warc

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// verifyBytes verifies a batch of the given bytes.
func verifyBytes(t *testing.T, b []byte) error {
	t.Helper()
	return Verify(t.Context(), "-", bytes.NewReader(b))
}

func TestVerifyGolden(t *testing.T) {
	if err := Verify(t.Context(), golden, nil); err != nil {
		t.Error(err)
	}
	if err := Verify(t.Context(), filepath.Join(t.TempDir(), "missing"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// Every bit that turns over in a member is found if anything depends on it: what passes inflates to
// the same record. A few do not matter: hints of the gzip header, and filling between blocks.
func TestVerifyFindsFlips(t *testing.T) {
	whole := encode(t, testExchange(t, "http://example.org/", okHead, "body")).Response
	want := inflateAll(t, whole)
	passed := 0
	for bit := range 8 * len(whole) {
		b := bytes.Clone(whole)
		b[bit/8] ^= 1 << (bit % 8)
		if verifyBytes(t, b) != nil {
			continue
		}
		if passed++; !bytes.Equal(inflateAll(t, b), want) {
			t.Errorf("bit %d turned over unseen", bit)
		}
	}
	if passed > 8*24 {
		t.Errorf("%d of %d bits do not matter; too many", passed, 8*len(whole))
	}
	for n := 1; n < len(whole); n++ {
		var damage *DamageError
		if err := verifyBytes(t, whole[:n]); !errors.As(err, &damage) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// Digests are held against the bytes, of records of any type, as this package or another takes
// them.
func TestVerifyDigests(t *testing.T) {
	const chunked = okHead + "\r\nTransfer-Encoding: chunked\r\n\r\n"
	head := foreignResponse + "\r\n"
	for name, c := range map[string]struct {
		header, block string
		want          string
	}{
		"none":             {head + "X: y", "not HTTP", ""},
		"block":            {head + "WARC-Block-Digest: " + digest([]byte("x")), "x", ""},
		"block of another": {head + "WARC-Block-Digest: " + digest([]byte("y")), "x", "WARC-Block-Digest says"},
		"of an info record": {foreignInfo + "\r\nWARC-Block-Digest: " + digest([]byte("y")), "x",
			"WARC-Block-Digest says"},
		"payload": {head + "WARC-Payload-Digest: " + digest([]byte("abc")),
			chunked + "3\r\nabc\r\n0\r\n\r\n", ""},
		"payload with chunks": {head + "WARC-Payload-Digest: " + digest([]byte("3\r\nabc\r\n0\r\n\r\n")),
			chunked + "3\r\nabc\r\n0\r\n\r\n", ""},
		"payload of another": {head + "WARC-Payload-Digest: " + digest([]byte("abd")),
			chunked + "3\r\nabc\r\n0\r\n\r\n", "WARC-Payload-Digest says"},
		"unknown": {head + "WARC-Block-Digest: md5:00", "x", ""},
	} {
		err := verifyBytes(t, foreign(t, c.header, c.block))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// An answer tells of damage to either of its records, and of no other's.
func TestVerifyAnswer(t *testing.T) {
	damaged := func(member []byte) []byte {
		b := bytes.Clone(member)
		b[len(b)-8] ^= 1 // of the checksum
		return b
	}
	one, two := encode(t, testExchange(t, "http://example.org/1", okHead, "body")),
		encode(t, testExchange(t, "http://example.org/2", okHead, "body"))
	for name, c := range map[string]struct {
		batch  [][]byte
		broken int // which answer, from 1
	}{
		"whole":            {[][]byte{one.Response, one.Request, two.Response, two.Request}, 0},
		"without request":  {[][]byte{one.Response, two.Response, two.Request}, 0},
		"damaged response": {[][]byte{damaged(one.Response), one.Request, two.Response, two.Request}, 1},
		"damaged request":  {[][]byte{one.Response, one.Request, two.Response, damaged(two.Request)}, 2},
	} {
		r := NewReader(name, bytes.NewReader(bytes.Join(c.batch, nil)))
		for i := 1; i <= 2; i++ {
			a, err := r.Next()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := a.Verify(); (err != nil) != (i == c.broken) {
				t.Errorf("%s: answer %d: %v", name, i, err)
			}
		}
	}
}
