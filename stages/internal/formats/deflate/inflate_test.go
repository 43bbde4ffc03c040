package deflate

import (
	"bytes"
	stdflate "compress/flate"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// deflated is b as a deflate stream of that level; where at are flushes.
func deflated(t testing.TB, b []byte, level int, at ...int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := stdflate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	for _, to := range at {
		w.Write(b[from:to])
		w.Flush()
		from = to
	}
	w.Write(b[from:])
	w.Close()
	return out.Bytes()
}

// inflated inflates the stream that src begins with.
func inflated(z *Inflater, src []byte, limit int) (dst, rest []byte, err error) {
	s := stream{src: slices.Clip(src)}
	for !s.last && err == nil {
		dst, err = z.block(&s, dst, limit)
	}
	if err != nil {
		return dst, nil, err
	}
	return dst, s.rest(), nil
}

// samples are bytes of several kinds.
func samples() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	skewed := make([]byte, 100_000)
	runs := make([]byte, 0, 100_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
		skewed[i] = byte(rng.ExpFloat64() * 9)
	}
	for len(runs) < 99_000 {
		piece := noise[:1+rng.IntN(20)]
		runs = append(runs, bytes.Repeat(piece, 1+rng.IntN(300/len(piece)))...)
	}
	return map[string][]byte{
		"empty":  {},
		"byte":   {'x'},
		"text":   []byte(strings.Repeat("<p>some words of a page that are <b>not all alike</b>, ", 999)),
		"noise":  noise,
		"skewed": skewed,
		"runs":   runs,
		"zeros":  make([]byte, 200_000),
	}
}

func TestStreams(t *testing.T) {
	var z Inflater
	for name, want := range samples() {
		for level := stdflate.HuffmanOnly; level <= 9; level++ {
			src := append(deflated(t, want, level, len(want)/3, len(want)/3, len(want)/2), "behind"...)
			got, rest, err := inflated(&z, src, len(want))
			if err != nil || !bytes.Equal(got, want) || string(rest) != "behind" {
				t.Errorf("%s, level %d: %d bytes of %d, rest %.20q, %v", name, level, len(got), len(want), rest, err)
			}
			if len(want) == 0 {
				continue
			}
			if got, _, err = inflated(&z, src, len(want)-1); !errors.Is(err, ErrLimit) || len(got) > len(want)-1 {
				t.Errorf("%s, level %d, limit: %d bytes, %v", name, level, len(got), err)
			}
		}
	}
}

// TestCutShort holds that every beginning of a stream says that it is one.
func TestCutShort(t *testing.T) {
	var z Inflater
	want := samples()["skewed"][:3000]
	for _, src := range [][]byte{deflated(t, want, 0, 1), deflated(t, want, 6, 100), deflated(t, want[:20], 9)} {
		for n := range src {
			if _, _, err := inflated(&z, src[:n], len(want)); !errors.Is(err, ErrShort) {
				t.Fatalf("the first %d of %d bytes: %v; want %v", n, len(src), err, ErrShort)
			}
		}
	}
}

// TestBlocks holds that a flush of the writer ends what one call gives.
func TestBlocks(t *testing.T) {
	var z Inflater
	s := stream{src: deflated(t, []byte("head and body"), 6, 4)}
	head, err := z.block(&s, nil, 100)
	if err != nil || string(head) != "head" {
		t.Errorf("the first block is %q, %v", head, err)
	}
}

// TestSharedTables holds that streams whose blocks are inflated in turn, by one Inflater, do not
// get each other's codes.
func TestSharedTables(t *testing.T) {
	var z Inflater
	var want [2][]byte
	var streams [2]stream
	for i, name := range []string{"skewed", "text"} {
		want[i] = samples()[name]
		streams[i] = stream{src: deflated(t, want[i], 9, 1000, 2000, 3000)}
	}
	var got [2][]byte
	for !streams[0].last || !streams[1].last {
		for i := range streams {
			if streams[i].last {
				continue
			}
			var err error
			if got[i], err = z.block(&streams[i], got[i], len(want[i])); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range got {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("stream %d differs", i)
		}
	}
}

func zipped(t testing.TB, b []byte, level int, change func(*gzip.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(w)
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestMembers(t *testing.T) {
	text := samples()["text"]
	plain := zipped(t, text, 1, nil)
	damaged := func(i int) []byte {
		b := bytes.Clone(plain)
		b[(i+len(b))%len(b)] ^= 1
		return b
	}
	checked := func(change byte) []byte { // with a checksum of the header
		head := bytes.Clone(plain[:headerSize])
		head[3] |= flagCheck
		sum := crc32.ChecksumIEEE(head)
		return slices.Concat(head, []byte{byte(sum), byte(sum>>8) ^ change}, plain[headerSize:])
	}
	for _, c := range []struct {
		name string
		raw  []byte
		want error
	}{
		{"plain", plain, nil},
		{"with extra field", zipped(t, text, 1, func(w *gzip.Writer) { w.Extra = []byte("sl\x02\x00xx") }), nil},
		{"with a name", zipped(t, text, 1, func(w *gzip.Writer) { w.Name = "page" }), nil},
		{"with all", zipped(t, text, 1,
			func(w *gzip.Writer) { w.Name, w.Comment, w.Extra = "page", "of a site", []byte("sl\x02\x00xx") }), nil},
		{"with a checksum of the header", checked(0), nil},
		{"header damaged", checked(1), ErrHeader},
		{"no gzip", []byte("hello, hello, hello"), ErrHeader},
		{"header cut", plain[:9], ErrShort},
		{"trailer cut", plain[:len(plain)-1], ErrShort},
		{"checksum wrong", damaged(-8), ErrChecksum},
		{"length wrong", damaged(-1), ErrChecksum},
	} {
		var z Inflater
		var m Member
		err := m.Open(c.raw)
		if err == nil {
			err = z.All(&m, len(text))
		}
		if !errors.Is(err, c.want) || err == nil && (!bytes.Equal(m.Plain, text) || m.Size() != len(c.raw)) {
			t.Errorf("%s: %d bytes, %v; want %v", c.name, len(m.Plain), err, c.want)
		}
	}
}

// judge holds what the inflater makes of src to what the standard library does: the same bytes, or
// both refuse. Klauspost's takes a few streams more; what is taken here it takes, too, and gives
// the same bytes.
func judge(t *testing.T, z *Inflater, src []byte) {
	t.Helper()
	const limit = 1 << 20
	got, rest, err := inflated(z, src, limit)
	for name, open := range map[string]func(io.Reader) io.ReadCloser{"standard": stdflate.NewReader,
		"klauspost": flate.NewReader} {
		r := bytes.NewReader(src)
		want, werr := io.ReadAll(io.LimitReader(open(r), limit+1))
		switch {
		case len(want) > limit:
			if !errors.Is(err, ErrLimit) && name == "standard" || err == nil {
				t.Fatalf("%x: more than %d bytes: %v", src, limit, err)
			}
		case err == nil && (werr != nil || !bytes.Equal(got, want) || len(rest) != r.Len()):
			t.Fatalf("%x: %d bytes and %d behind; %s %d and %d, %v", src, len(got), len(rest), name, len(want), r.Len(),
				werr)
		case err != nil && werr == nil && name == "standard":
			t.Fatalf("%x: %v; %s %d bytes", src, err, name, len(want))
		}
	}
}

// TestBroken changes bits of streams, those of the headers of blocks most: nearly all are refused
// then, but not all.
func TestBroken(t *testing.T) {
	var z Inflater
	rng := rand.New(rand.NewPCG(3, 4))
	noise := samples()["noise"]
	for _, b := range [][]byte{samples()["text"][:300], samples()["skewed"][:300], noise[:40],
		bytes.Repeat(noise[:7], 40), nil} {
		for _, level := range []int{0, 1, 9, stdflate.HuffmanOnly} {
			src := deflated(t, b, level, len(b)/2)
			for n := range 800 {
				broken := bytes.Clone(src)
				for range 1 + n%3 {
					bit := rng.IntN(8 * len(src))
					if n%2 == 0 {
						bit = rng.IntN(8 * min(len(src), 30))
					}
					broken[bit/8] ^= 1 << (bit % 8)
				}
				judge(t, &z, broken)
			}
		}
	}
}

// TestRefused holds that headers which no writer makes are refused, each for one thing.
func TestRefused(t *testing.T) {
	var z Inflater
	// The header of a last block, whose code of lengths has 0, 1, 16 and 18, of two bits each, and
	// so many literals and distances.
	header := func(lits, dists uint) (f []uint) {
		f = []uint{1, 1, 2, 2, lits - 257, 5, dists - 1, 5, 14, 4}
		for _, symbol := range lengthOrder[:18] {
			switch symbol {
			case 0, 1, 16, 18:
				f = append(f, 2, 3)
			default:
				f = append(f, 0, 3)
			}
		}
		return f
	}
	zero, one, last, zeros := []uint{0, 2}, []uint{2, 2}, []uint{1, 2, 0, 2},
		func(n uint) []uint { return []uint{3, 2, n - 11, 7} }
	stored := []uint{0, 1, 0, 2, 0, 5, 2, 16, 0xfffd, 16, 'x', 8, 'x', 8}
	end := []uint{0, 1}
	for _, c := range []struct {
		name   string
		good   bool
		fields [][]uint
	}{
		{"reserved kind", false, [][]uint{{1, 1, 3, 2}}},
		{"no codes but that of the end", true, [][]uint{header(257, 1), zeros(138), zeros(118), one, zero, end}},
		{"287 literals", false, [][]uint{header(287, 1), zeros(138), zeros(118), one, zeros(30), zero, end}},
		{"31 distances", false, [][]uint{header(257, 31), zeros(138), zeros(118), one, zeros(31), end}},
		{"a length too many", false, [][]uint{header(257, 1), zeros(138), zeros(118), one, zeros(11), end}},
		{"the length before the first", false, [][]uint{header(259, 1), last, zeros(138), zeros(115), one, zero, zero,
			zero, end}},
		{"the length before", true, [][]uint{header(257, 1), zeros(138), zeros(115), zero, zero, zero, one, zero, end}},
		{"codes of one symbol", true, [][]uint{stored, header(257, 1), zeros(138), zeros(118), one, one, end}},
		{"a code that no symbol has", false, [][]uint{stored, header(257, 2), zeros(138), zeros(118), one, one, one,
			{1, 1}, end}},
	} {
		src := packed(append(slices.Concat(c.fields...), 0, 64))
		_, _, err := inflated(&z, src, 100)
		if (err == nil) != c.good {
			t.Errorf("%s: %v", c.name, err)
		}
		judge(t, &z, src)
	}
}

// packed gives the bytes of numbers, each with its size in bits behind it, the lowest bit first.
func packed(fields []uint) (b []byte) {
	n := uint(0)
	for i := 0; i < len(fields); i += 2 {
		for bit := range fields[i+1] {
			if n%8 == 0 {
				b = append(b, 0)
			}
			b[n/8] |= byte(fields[i]>>bit&1) << (n % 8)
			n++
		}
	}
	return b
}

// FuzzInflate holds the inflater to the standard library's.
func FuzzInflate(f *testing.F) {
	for _, b := range samples() {
		b = b[:min(len(b), 2000)]
		for _, level := range []int{0, 1, 6, 9, stdflate.HuffmanOnly} {
			f.Add(deflated(f, b, level, len(b)/2))
		}
	}
	var z Inflater
	f.Fuzz(func(t *testing.T, src []byte) { judge(t, &z, src) })
}
