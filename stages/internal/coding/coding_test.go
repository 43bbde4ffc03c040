package coding

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func TestNames(t *testing.T) {
	got := Names([]string{" GZIP , identity,", "deflate", "", "a b"})
	if want := []string{"gzip", "deflate", "a b"}; !slices.Equal(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
}

func TestUndo(t *testing.T) {
	once := gzipped([]byte("hello"))
	twice := gzipped(once)
	for _, c := range []struct {
		what    string
		body    []byte
		names   []string
		limit   int64
		content string
		whole   bool
		err     error
	}{
		{"none", []byte("hello"), nil, 5, "hello", true, nil},
		{"none, over the limit", []byte("hello"), nil, 4, "hell", false, nil},
		{"once", once, []string{"gzip"}, 5, "hello", true, nil},
		{"twice", twice, []string{"gzip", "x-gzip"}, 5, "hello", true, nil},
		{"twice, limit", twice, []string{"gzip", "gzip"}, 4, "hell", false, nil},
		{"breaks off", once[:len(once)-4], []string{"gzip"}, 9, "hello", false, nil},
		{"is none", []byte("hello"), []string{"gzip"}, 9, "", false, nil},
		{"unknown", once, []string{"br"}, 9, "", false, ErrUnknown},
		{"unknown below a known one", twice, []string{"br", "gzip"}, 9, "", false, ErrUnknown},
		{"thrice", gzipped(twice), []string{"gzip", "gzip", "gzip"}, 9, "", false, ErrUnknown},
	} {
		content, whole, err := Undo(bytes.NewReader(c.body), c.names, c.limit)
		if string(content) != c.content || whole != c.whole || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v, %v; want %q, %v, %v", c.what, content, whole, err, c.content, c.whole, c.err)
		}
	}
}

// counting counts what is read of an endless row of empty gzip members.
type counting struct {
	row  []byte
	read int64
}

func (c *counting) Read(p []byte) (int, error) {
	n := copy(p, c.row[c.read%int64(len(c.row)):])
	c.read += int64(n)
	return n, nil
}

// TestNothingBetween holds that an inner coding which gives nothing is not fed for ever.
func TestNothingBetween(t *testing.T) {
	// Stored blocks of the outer coding that hold the members of the inner one.
	var outer bytes.Buffer
	z, err := gzip.NewWriterLevel(&outer, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat(gzipped(nil), 1<<10)
	z.Write(block)
	z.Flush()
	head := outer.Len()
	z.Write(block)
	z.Flush()
	source := &counting{row: outer.Bytes()[head:]}
	body := io.MultiReader(bytes.NewReader(outer.Bytes()[:head]), io.LimitReader(source, 4*maxBetween))
	content, whole, err := Undo(body, []string{"gzip", "gzip"}, 10)
	if len(content) > 0 || err != nil || source.read > maxBetween*3/2 {
		t.Errorf("%d bytes, whole %v, %v, after %d bytes of the body", len(content), whole, err, source.read)
	}
}

func FuzzUndo(f *testing.F) {
	f.Add([]byte("hello"), "gzip")
	f.Add(gzipped(gzipped([]byte("hello"))), "gzip, x-gzip")
	f.Add([]byte("\x78\x9c\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15"), "deflate")
	f.Add([]byte("\xcb\x48\xcd\xc9\xc9\x07\x00"), "deflate")
	f.Fuzz(func(t *testing.T, body []byte, field string) {
		content, _, err := Undo(bytes.NewReader(body), Names(strings.Split(field, ";")), 1<<16)
		if len(content) > 1<<16 || err != nil && !errors.Is(err, ErrUnknown) {
			t.Errorf("%d bytes, %v", len(content), err)
		}
	})
}
