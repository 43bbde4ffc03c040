package centrality

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		pages  uint64
		memory int64
	}{{0, 1 << 30}, {1<<32 + 1, 1 << 40}, {1, 4*frameSize - 1}, {1, -1}, {1 << 32, 64 << 20}} {
		if g, err := New(c.pages, c.memory); err == nil {
			g.Close()
			t.Errorf("%d pages in %d bytes", c.pages, c.memory)
		}
	}
	for _, c := range []struct {
		name string
		do   func(g *Graph) error
	}{
		{"a page twice", func(g *Graph) error { return g.Add(5, nil) }},
		{"an earlier page", func(g *Graph) error { return g.Add(4, nil) }},
		{"no page", func(g *Graph) error { return g.Add(10, nil) }},
		{"a link to no page", func(g *Graph) error { return g.Add(6, []uint32{3, 10, 4}) }},
		{"too many ranks", func(g *Graph) error { return errors.Join(g.Start(1), g.Start(1)) }},
		{"no number", func(g *Graph) error { return g.Start(float32(math.NaN())) }},
		{"without bound", func(g *Graph) error { return g.Start(float32(math.Inf(1))) }},
		{"below zero", func(g *Graph) error { return g.Start(-1) }},
	} {
		g := make(web, 10).graph(t, 4)
		g.next = 0
		if err := g.Add(5, []uint32{9}); err != nil {
			t.Fatal(err)
		}
		for range 9 {
			if err := g.Start(1); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.do(g); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}

// New keeps to the bound of memory: blocks' sums, or what is buffered of their links.
func TestMemoryOfBlocks(t *testing.T) {
	for _, c := range []struct {
		pages  uint64
		memory int64
		blocks int
	}{
		{1, 4 * frameSize, 1},
		{3 << 15, 1 << 20, 1},
		{3<<15 + 1, 1 << 20, 2},
		{10_000_000, 256 << 20, 1},
		{10_000_000, 32 << 20, 4},
	} {
		g, err := New(c.pages, c.memory)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.blocks) != c.blocks || int64(g.size*8+uint64(len(g.blocks)*frameSize)) > c.memory {
			t.Errorf("%d pages in %d bytes: %d blocks of %d", c.pages, c.memory, len(g.blocks), g.size)
		}
		g.Close()
	}
}

// The sums of all pages would take 64 MiB.
func TestPeak(t *testing.T) {
	stagetest.Peak(t, 24<<20, func(string) {}, func(string) {
		const pages = 8 << 20
		g, err := New(pages, 8<<20)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		for page := uint32(0); page < pages; page += 16 {
			if err := g.Add(page, []uint32{page * 2654435761 % pages, page / 2}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := g.Rank(0, 2); err != nil {
			t.Fatal(err)
		}
	})
}

func TestNoFileIsLeft(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	rank(t, web{{1}, {2}, nil}.graph(t, 1), 0, 2)
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("%v, %v", names, err)
	}
}

// Each byte of the files counts. An error leaves the ranks of the last pass.
func TestDamage(t *testing.T) {
	w := randomWeb(rand.New(rand.NewPCG(6, 6)), inFrame+1000)
	want, _ := rank(t, w.graph(t, 10_000), 0, 2)
	for _, of := range []struct {
		name  string
		files func(g *Graph) []*frames
		bytes []int64
	}{
		{"links", func(g *Graph) []*frames { return []*frames{g.blocks[0].frames, g.blocks[1].frames} }, nil},
		{"ranks", func(g *Graph) []*frames { return []*frames{g.ranks.frames} }, []int64{frameSize + 1}},
	} {
		for _, at := range append(of.bytes, 0, 7, 8, 11, 12, 5000, frameSize-1) {
			for file := range of.files(w.graph(t, 10_000)) {
				g := w.graph(t, 10_000)
				rank(t, g, 0, 1)
				f := of.files(g)[file].file
				flip(t, f, at)
				if _, err := g.Rank(0, 1); !errors.Is(err, errDamaged) {
					t.Errorf("%s, file %d, byte %d: %v", of.name, file, at, err)
				}
				flip(t, f, at)
				if got, _ := rank(t, g, 0, 1); !slices.Equal(got, want) {
					t.Errorf("%s, file %d, byte %d: after an error other ranks", of.name, file, at)
				}
			}
		}
		g := w.graph(t, 10_000)
		rank(t, g, 0, 1)
		swap(t, of.files(g)[0].file)
		if _, err := g.Rank(0, 1); !errors.Is(err, errDamaged) {
			t.Errorf("%s, two frames exchanged: %v", of.name, err)
		}
		g = w.graph(t, 10_000)
		rank(t, g, 0, 1)
		if err := of.files(g)[0].file.Truncate(frameSize - 1); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Rank(0, 1); !errors.Is(err, io.EOF) {
			t.Errorf("%s, cut: %v", of.name, err)
		}
	}
}

func flip(t *testing.T, f *os.File, at int64) {
	t.Helper()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 4
	if _, err := f.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
}

// swap exchanges the first two frames.
func swap(t *testing.T, f *os.File) {
	t.Helper()
	b := make([]byte, 2*frameSize)
	if _, err := f.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(slices.Concat(b[frameSize:], b[:frameSize]), 0); err != nil {
		t.Fatal(err)
	}
}

func TestGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 1000 {
		var numbers []uint32
		for range r.IntN(9) {
			numbers = append(numbers, r.Uint32()>>r.IntN(33))
		}
		b := appendGroups([]byte("before"), numbers...)
		p, got := append(b, make([]byte, slack)...)[6:], []uint32(nil)
		for len(p) > slack {
			var g [groupOf]uint32
			p = p[group(p, &g):]
			got = append(got, g[:]...)
		}
		if len(p) != slack || len(got) != (len(numbers)+3)/4*4 || !slices.Equal(got[:len(numbers)], numbers) {
			t.Fatalf("%v becomes %v", numbers, got)
		}
	}
}

// What has a right sum and was never written is an error too.
func TestWrongRecords(t *testing.T) {
	right := appendGroups(nil, 1, 3, 3, 0, 5, 94)
	for _, c := range []struct {
		name    string
		payload []byte
		ok      bool
	}{
		{"right", right, true},
		{"two", append(right, right...), true},
		{"the first target", appendGroups(nil, 1, 3, 1, 100), false},
		{"the last target", appendGroups(nil, 1, 3, 3, 0, 5, 95), false},
		{"a sum of targets beyond uint32", appendGroups(nil, 1, 3, 3, 5, math.MaxUint32, 0), false},
		{"too few targets", appendGroups(nil, 1, 3, 6, 0, 5, 94), false},
		{"half a group", right[:len(right)-2], false},
	} {
		var r records
		if ok := r.take(append(c.payload, make([]byte, slack)...), 100); ok != c.ok {
			t.Errorf("%s: %v", c.name, ok)
		}
	}
	g := make(web, 10).graph(t, 4)
	rank(t, g, 0, 1)
	for _, page := range []uint32{10, inFrame - 1, inFrame} {
		if r, err := g.ranks.at(page); err == nil {
			t.Errorf("page %d of 10 has rank %v", page, r)
		}
	}
}

// FuzzRecords: any bytes are records or an error.
func FuzzRecords(f *testing.F) {
	f.Add(appendGroups(nil, 1, 3, 2, 0, 5))
	f.Add(appendGroups(appendGroups(nil, 99, 3, 3, 0, 5, 94), 1, 1, 1, 1))
	f.Add(appendGroups(nil, math.MaxUint32, 0, math.MaxUint32, math.MaxUint32))
	f.Add(bytes.Repeat([]byte{0xff}, 30))
	f.Fuzz(func(t *testing.T, payload []byte) {
		const size = 100
		var r records
		ok := r.take(append(payload, make([]byte, slack)...), size)
		if ok && len(payload) > 0 && len(r.pages) == 0 {
			t.Error("bytes without a record, and no error")
		}
		for _, to := range r.targets {
			if ok && to >= size {
				t.Errorf("target %d", to)
			}
		}
	})
}
