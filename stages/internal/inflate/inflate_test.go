package inflate

import (
	"bytes"
	stdflate "compress/flate"
	"errors"
	"io"
	"math/rand/v2"
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

// all inflates the stream that src begins with.
func all(z *Inflater, src []byte, limit int) (dst, rest []byte, err error) {
	s := NewStream(src)
	for !s.Done() && err == nil {
		dst, err = z.Block(&s, dst, limit)
	}
	if err != nil {
		return dst, nil, err
	}
	return dst, s.Rest(), nil
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
			got, rest, err := all(&z, src, len(want))
			if err != nil || !bytes.Equal(got, want) || string(rest) != "behind" {
				t.Errorf("%s, level %d: %d bytes of %d, rest %.20q, %v", name, level, len(got), len(want), rest, err)
			}
			if len(want) == 0 {
				continue
			}
			if got, _, err = all(&z, src, len(want)-1); !errors.Is(err, ErrLimit) || len(got) > len(want)-1 {
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
			if _, _, err := all(&z, src[:n], len(want)); !errors.Is(err, ErrShort) {
				t.Fatalf("the first %d of %d bytes: %v; want %v", n, len(src), err, ErrShort)
			}
		}
	}
}

// TestBlocks holds that a flush of the writer ends what one call gives.
func TestBlocks(t *testing.T) {
	var z Inflater
	s := NewStream(deflated(t, []byte("head and body"), 6, 4))
	head, err := z.Block(&s, nil, 100)
	if err != nil || string(head) != "head" {
		t.Errorf("the first block is %q, %v", head, err)
	}
}

// TestSharedTables holds that streams whose blocks are inflated in turn, by one Inflater, do not get each other's codes.
func TestSharedTables(t *testing.T) {
	var z Inflater
	var want [2][]byte
	var streams [2]Stream
	for i, name := range []string{"skewed", "text"} {
		want[i] = samples()[name]
		streams[i] = NewStream(deflated(t, want[i], 9, 1000, 2000, 3000))
	}
	var got [2][]byte
	for !streams[0].Done() || !streams[1].Done() {
		for i := range streams {
			var err error
			if got[i], err = z.Block(&streams[i], got[i], len(want[i])); err != nil {
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
	for _, c := range []struct {
		name string
		raw  []byte
		want error
	}{
		{"plain", plain, nil},
		{"with extra field", zipped(t, text, 1, func(w *gzip.Writer) { w.Extra = []byte("sl\x02\x00xx") }), nil},
		{"with a name", zipped(t, text, 1, func(w *gzip.Writer) { w.Name = "page" }), ErrHeader},
		{"no gzip", []byte("hello, hello, hello"), ErrHeader},
		{"header cut", plain[:9], ErrShort},
		{"trailer cut", plain[:len(plain)-1], ErrShort},
		{"checksum wrong", damaged(-8), ErrCorrupt},
		{"length wrong", damaged(-1), ErrCorrupt},
	} {
		var z Inflater
		var m Member
		err := m.Open(c.raw)
		if err == nil {
			err = z.All(&m, len(text))
		}
		if !errors.Is(err, c.want) || err == nil && (!bytes.Equal(m.Plain(), text) || len(m.Rest()) != 0) {
			t.Errorf("%s: %d bytes, %v; want %v", c.name, len(m.Plain()), err, c.want)
		}
	}
}

// FuzzStream holds the inflater to the standard library's: the same bytes, or both refuse. Klauspost's takes a
// few streams more; what is taken here it takes, too, and gives the same bytes.
func FuzzStream(f *testing.F) {
	for _, b := range samples() {
		b = b[:min(len(b), 2000)]
		for _, level := range []int{0, 1, 6, 9, stdflate.HuffmanOnly} {
			f.Add(deflated(f, b, level, len(b)/2))
		}
	}
	var z Inflater
	const limit = 1 << 20
	f.Fuzz(func(t *testing.T, src []byte) {
		got, rest, err := all(&z, src, limit)
		for name, open := range map[string]func(io.Reader) io.ReadCloser{"standard": stdflate.NewReader, "klauspost": flate.NewReader} {
			r := bytes.NewReader(src)
			want, werr := io.ReadAll(io.LimitReader(open(r), limit+1))
			switch {
			case len(want) > limit:
				if !errors.Is(err, ErrLimit) && name == "standard" || err == nil {
					t.Fatalf("more than %d bytes: %v", limit, err)
				}
			case err == nil && (werr != nil || !bytes.Equal(got, want) || len(rest) != r.Len()):
				t.Fatalf("%d bytes and %d behind; %s %d and %d, %v", len(got), len(rest), name, len(want), r.Len(), werr)
			case err != nil && werr == nil && name == "standard":
				t.Fatalf("%v; %s %d bytes", err, name, len(want))
			}
		}
	})
}
