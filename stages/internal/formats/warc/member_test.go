package warc

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"multitext/stages/internal/formats/deflate"
)

// FuzzUnzip compares what comes out of a member, be it looked for or read, with what the standard
// library's gzip says: the same bytes, or an error of both. That library takes no name or comment
// beyond 511 bytes.
func FuzzUnzip(f *testing.F) {
	page := gzipped(okHead)
	f.Add(page)
	f.Add(page[:len(page)-3])
	f.Add(append(bytes.Clone(page), page...))
	f.Add(encode(f, testExchange(f, "http://example.org/", okHead, "body")).Response)
	f.Add(foreign(f, foreignResponse, okHead, named))
	tables := new(deflate.Inflater)
	f.Fuzz(func(t *testing.T, raw []byte) {
		const limit = 1 << 20
		src := bytes.NewReader(raw)
		var z gzip.Reader
		var want []byte
		werr := z.Reset(src)
		if werr == nil {
			z.Multistream(false)
			if want, werr = io.ReadAll(io.LimitReader(&z, limit)); len(want) == limit {
				return
			}
		}
		if werr == gzip.ErrHeader && len(raw) > 512 {
			return
		}
		u := member{tables: tables}
		err := u.Open(raw)
		for err == nil {
			err = u.more(len(u.Plain))
		}
		behind := len(raw) - u.Size()
		if (err == io.EOF) != (werr == nil) || err == io.EOF && (!bytes.Equal(u.Plain, want) || behind != src.Len()) {
			t.Fatalf("read: %d bytes, %d behind, %v; the library's %d, %d, %v", len(u.Plain), behind, err, len(want),
				src.Len(), werr)
		}
		m, s := &member{tables: tables}, newSplitter(bytes.NewReader(raw))
		if len(raw) < fixedHeader || raw[0] != 0x1f {
			return
		}
		if err = s.find(m, limit); (err == nil) != (werr == nil) {
			t.Fatalf("found: %v; the library's %v", err, werr)
		}
		if err == nil && (!bytes.Equal(m.Plain, want) || !bytes.Equal(m.raw, raw[:len(raw)-src.Len()])) {
			t.Fatalf("found: %d bytes of %d; the library's %d of %d", len(m.Plain), len(m.raw), len(want),
				len(raw)-src.Len())
		}
	})
}

// TestLongMember holds that a foreign member which does not fit the reader's buffer, or lies across
// its end, is read as others are.
func TestLongMember(t *testing.T) {
	page := foreign(t, foreignResponse, okHead+"\r\n\r\nshort")
	var noise []byte // does not compress
	for n := uint32(1); len(noise) < 300_000; n = n*1664525 + 1013904223 {
		noise = append(noise, byte(n>>24))
	}
	long := foreign(t, foreignResponse, okHead+"\r\n\r\n"+string(noise))
	middling := foreign(t, foreignResponse, okHead+"\r\n\r\n"+string(noise[:100_000]))
	ours := file(t, testExchange(t, "http://example.org/", okHead, string(noise)))
	r := reader(bytes.Join([][]byte{page, middling, long, middling, page, ours, page}, nil))
	for i, want := range []int{5, 100_000, 300_000, 100_000, 5, 300_000, 5} {
		a := next(t, r)
		if body, whole, err := a.Body(1 << 20); len(body) != want || !whole || err != nil {
			t.Errorf("page %d: %d bytes, %v, %v; want %d", i, len(body), whole, err, want)
		}
		if i == 2 && !bytes.Equal(a.Packed().Response, long) {
			t.Error("the long one is copied differently")
		}
		if n := len(r.src.src.room); i > 2 && n > usualRoom {
			t.Errorf("behind the long one the reader holds %d bytes", n)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestNamedMember checks that members with a name are read, and leave nothing behind for those read
// with the same buffers.
func TestNamedMember(t *testing.T) {
	block := okHead + "\r\n\r\n" + strings.Repeat("0123456789", 100_000)
	known := withSkipLengths(foreign(t, foreignResponse, block, named, skipped))
	unknown := foreign(t, foreignResponse, block, named) // how long it is
	r := reader(slices.Concat(known, known, unknown, unknown, unknown, unknown))
	for i := range 6 {
		a := next(t, r)
		if _, err := a.HTTP(); err != nil || i < 2 {
			continue // the rest stays compressed
		}
		if got, err := a.Block(); string(got) != block || err != nil {
			t.Errorf("member %d: %d bytes, %v", i, len(got), err)
		}
	}
}

// TestLargeMember holds that the memory of a large answer is not kept for those behind it, be it
// read by its skip lengths or without, and by whom it may.
func TestLargeMember(t *testing.T) {
	text := strings.Repeat(prose(100_000), 20)
	block := okHead + "\r\n\r\n" + text
	for name, large := range map[string][]byte{
		"ours":    file(t, testExchange(t, "http://example.org/", okHead, text)),
		"foreign": foreign(t, foreignResponse, block),
		"named":   foreign(t, foreignResponse, block, named),
		"packed":  foreign(t, foreignResponse, okHead+"\r\n\r\n"+noise(2<<20)),
	} {
		r := reader(slices.Concat(large, file(t, testExchange(t, "http://example.org/", okHead, "small"))))
		a := next(t, r)
		block, err := a.Block()
		if err != nil || len(block) < len(text) {
			t.Fatalf("%s: %d bytes, %v", name, len(block), err)
		}
		unzipped, packed := weak.Make(&block[0]), weak.Make(&a.Packed().Response[0])
		block = nil
		if got, err := next(t, r).Block(); err != nil || len(got) == 0 {
			t.Fatalf("%s: behind it %d bytes, %v", name, len(got), err)
		}
		runtime.GC()
		if unzipped.Value() != nil || packed.Value() != nil {
			t.Errorf("%s: its memory is kept", name)
		}
		runtime.KeepAlive(r)
	}
}

// TestHeadOfBomb holds that a head is had without the memory that what is behind it would take,
// where the writer did not flush.
func TestHeadOfBomb(t *testing.T) {
	block := okHead + "\r\n\r\n" + strings.Repeat("0", 4<<20) // 258 at once: one block of the standard library's writer
	a := next(t, reader(withSkipLengths(foreign(t, foreignResponse, block, skipped))))
	if h, err := a.HTTP(); err != nil || h.Status != 200 {
		t.Fatalf("head: %v, %v", h, err)
	}
	if room := a.response.room(); room > 3<<20 {
		t.Errorf("%d bytes of memory for the head", room)
	}
	if got, err := a.Block(); err != nil || string(got) != block {
		t.Errorf("block: %d bytes of %d, %v", len(got), len(block), err)
	}
}

// TestHeadsInTurn holds that each answer has its own head.
func TestHeadsInTurn(t *testing.T) {
	r := reader(file(t, testExchange(t, "http://example.org/a", okHead, "a"),
		testExchange(t, "http://example.org/b", "HTTP/1.1 404 x\r\nA: b", "")))
	for _, want := range []int{200, 404} {
		if h, err := next(t, r).HTTP(); err != nil || h.Status != want || len(h.Header) != 1 {
			t.Errorf("%v, %v; want status %d", h, err, want)
		}
	}
}
