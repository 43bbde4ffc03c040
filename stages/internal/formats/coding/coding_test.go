package coding

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func brotlied(b []byte) []byte {
	var out bytes.Buffer
	z := brotli.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func zstded(b []byte, options ...zstd.EOption) []byte {
	z, err := zstd.NewWriter(nil, options...)
	if err != nil {
		panic(err)
	}
	return z.EncodeAll(b, nil)
}

func TestNames(t *testing.T) {
	got := Names([]string{" GZIP , identity,none, UTF-8", "deflate", "", "a b"})
	if want := []string{"gzip", "deflate", "a b"}; !slices.Equal(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
}

func TestUndo(t *testing.T) {
	once := gzipped([]byte("hello"))
	twice := gzipped(once)
	var used Undoer
	broken := map[string][]byte{"gzip": gzipped([]byte("good bye"))[:18],
		"br": append(brotlied([]byte("good bye")), "more"...), "zstd": zstded([]byte("good bye"))[:12]}
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
		{"two members", slices.Concat(once, gzipped([]byte(" you"))), []string{"gzip"}, 9, "hello you", true, nil},
		{"two members, limit", slices.Concat(once, gzipped([]byte(" you"))), []string{"gzip"}, 5, "hello", false, nil},
		{"bytes behind", append(gzipped([]byte("hello")), "more"...), []string{"gzip"}, 9, "hello", false, nil},
		{"wrong sum", slices.Concat(once[:len(once)-8], []byte("\x00\x00\x00\x00\x05\x00\x00\x00")), []string{"gzip"},
			9, "hello", false, nil},
		{"nothing in it", gzipped(nil), []string{"gzip"}, 0, "", true, nil},
		{"breaks off", once[:len(once)-4], []string{"gzip"}, 9, "hello", false, nil},
		{"is none", []byte("hello"), []string{"gzip"}, 9, "", false, nil},
		{"br", brotlied([]byte("hello")), []string{"br"}, 5, "hello", true, nil},
		{"br, limit", brotlied([]byte("hello")), []string{"br"}, 4, "hell", false, nil},
		{"br that is none", []byte("hello"), []string{"br"}, 9, "", false, nil},
		{"br with bytes behind", append(brotlied([]byte("hello")), "more"...), []string{"br"}, 9, "hello", false, nil},
		{"zstd", zstded([]byte("hello")), []string{"zstd"}, 5, "hello", true, nil},
		{"zstd, two frames", append(zstded([]byte("hel")), zstded([]byte("lo"))...), []string{"zstd"}, 5, "hello",
			true, nil},
		{"zstd, limit", zstded([]byte("hello")), []string{"zstd"}, 4, "hell", false, nil},
		{"zstd that is none", []byte("hello"), []string{"zstd"}, 9, "", false, nil},
		{"zstd in gzip", gzipped(zstded([]byte("hello"))), []string{"zstd", "gzip"}, 9, "hello", true, nil},
		{"unknown", once, []string{"dcb"}, 9, "", false, ErrUnknown},
		{"unknown below a known one", twice, []string{"dcb", "gzip"}, 9, "", false, ErrUnknown},
		{"thrice", gzipped(twice), []string{"gzip", "gzip", "gzip"}, 9, "", false, ErrUnknown},
	} {
		for name, body := range broken { // which leaves nothing behind
			used.Undo(body, []string{name, name}, 3)
			used.Undo(body, []string{name}, 3)
		}
		content, whole, err := used.Undo(c.body, c.names, c.limit)
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
	content, whole, err := new(Undoer).undo(body, []string{"gzip", "gzip"}, 10)
	if len(content) > 0 || err != nil || source.read > maxBetween*3/2 {
		t.Errorf("%d bytes, whole %v, %v, after %d bytes of the body", len(content), whole, err, source.read)
	}
}

// TestBombs holds that what unfolds to gigabytes costs no more than the limit and a window.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 64<<20)
	for _, c := range []struct {
		name string
		body []byte
	}{{"gzip", gzipped(zeros)}, {"br", brotlied(zeros)}, {"zstd", zstded(zeros)}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		content, whole, err := new(Undoer).Undo(c.body, []string{c.name}, 1<<20)
		runtime.ReadMemStats(&after)
		if len(content) != 1<<20 || whole || err != nil {
			t.Errorf("%s: %d bytes, whole %v, %v", c.name, len(content), whole, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 48<<20 {
			t.Errorf("%s: %d bytes of memory for a body of %d", c.name, n, len(c.body))
		}
	}
}

// TestHugeWindows holds that a body does not choose how much memory its decoder takes.
func TestHugeWindows(t *testing.T) {
	text := strings.Repeat("hello, hello, ", 1<<20) // longer than the window, so that the frame asks for it
	for _, c := range []struct {
		name, coding string
		body         []byte
		content      string
	}{
		{"zstd of 8 MiB", "zstd", zstded([]byte(text), zstd.WithWindowSize(8<<20)), "hello"},
		{"zstd of 16 MiB", "zstd", zstded([]byte(text), zstd.WithWindowSize(16<<20)), ""},
		{"zstd of 1 EiB", "zstd", []byte("\x28\xb5\x2f\xfd\x00\xf8\x29\x00\x00hello"), ""},
		{"br of 64 KiB", "br", []byte("\x40\x00\x10hello\x03"), "hello"},
		{"br, large window of 1 GiB", "br", []byte("\x11\x1e\x08\x00\x02hello\x03"), ""},
	} {
		content, _, err := new(Undoer).Undo(c.body, []string{c.coding}, 5)
		if string(content) != c.content || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, content, err, c.content)
		}
	}
}

func FuzzUndo(f *testing.F) {
	f.Add([]byte("hello"), "gzip")
	f.Add(gzipped(gzipped([]byte("hello"))), "gzip, x-gzip")
	f.Add(gzipped([]byte("hello")), "gzip")
	f.Add(slices.Concat(gzipped([]byte("hello")), gzipped(nil)), "gzip")
	f.Add([]byte("\x78\x9c\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15"), "deflate")
	f.Add([]byte("\xcb\x48\xcd\xc9\xc9\x07\x00"), "deflate")
	f.Add(brotlied([]byte("hello")), "br")
	f.Add(zstded(brotlied([]byte("hello"))), "br, zstd")
	var used Undoer
	f.Fuzz(func(t *testing.T, body []byte, field string) {
		names := Names(strings.Split(field, ";"))
		content, whole, err := new(Undoer).Undo(body, names, 1<<16)
		if len(content) > 1<<16 || err != nil && !errors.Is(err, ErrUnknown) {
			t.Errorf("%d bytes, %v", len(content), err)
		}
		if again, w, e := used.Undo(body, names, 1<<16); !bytes.Equal(again, content) || w != whole ||
			(e == nil) != (err == nil) {
			t.Errorf("by decoders that were used before: %q, %v, %v; want %q, %v, %v", again, w, e, content, whole, err)
		}
		if read, w, e := used.undo(bytes.NewReader(body), names, 1<<16); !bytes.Equal(read, content) || w != whole ||
			(e == nil) != (err == nil) {
			t.Errorf("by readers: %q, %v, %v; want %q, %v, %v", read, w, e, content, whole, err)
		}
	})
}

// BenchmarkUndo undoes each coding of a page of usual size, by decoders that were used before.
func BenchmarkUndo(b *testing.B) {
	page := []byte(strings.Repeat("<p>Some text of a page, and <a href=x>a link</a>, not all alike.", 400))
	for _, c := range []struct {
		name string
		body []byte
	}{{"gzip", gzipped(page)}, {"br", brotlied(page)}, {"zstd", zstded(page)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(page)))
			var u Undoer
			for b.Loop() {
				if _, whole, err := u.Undo(c.body, []string{c.name}, 1<<20); !whole || err != nil {
					b.Fatal(whole, err)
				}
			}
		})
	}
}
