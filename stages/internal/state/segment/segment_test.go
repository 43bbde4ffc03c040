package segment

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// write creates a segment in a temporary directory and returns its path.
func write(t testing.TB, b Entries) string { return writeKeyed(t, b, nil) }

func writeKeyed(t testing.TB, b Entries, hash *keyed.Hash) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "segment")
	data := encode(t, b.Values != nil, hash, func(w *Writer) error { return w.addAll(&once{b}) })
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// encode returns the bytes of the segment that fill fills. It does not come to a disk, whose syncs
// take longer than all the rest.
func encode(t testing.TB, values bool, hash *keyed.Hash, fill func(*Writer) error) []byte {
	t.Helper()
	var data bytes.Buffer
	w, err := Create(output.NewRun(&data), output.Stdout, values, hash)
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// wholly checks all of r.
func (r *Reader) wholly() error { return r.verify(func(uint64, []byte) error { return nil }) }

func open(t testing.TB, path string) *Reader {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// goldens are the contents of the files in testdata, by their version and name.
func goldens() map[string]Entries {
	keys := Entries{Keys: []uint64{0, 1, math.MaxUint64}}
	for i := range uint64(1500) { // two blocks
		keys.Keys = append(keys.Keys, (i+1)*0x123456789abcd)
	}
	keys.Sort()
	values := Entries{}
	values.Add(7, []byte("seven"))
	values.Add(8, nil)
	values.Add(9, bytes.Repeat([]byte("x"), blockValues+1)) // ends its block
	values.Add(math.MaxUint64, []byte("last"))
	short := Entries{} // blocks of keys of three, eight and two bytes
	for i := range uint64(1100) {
		short.Keys = append(short.Keys, 1<<60+i*0x123, 1<<61+i*0x45)
	}
	short.Sort()
	return map[string]Entries{"v2/keys": keys, "v2/values": values, "v2/short": short, "v3/values": values,
		"v3/short": short}
}

func TestGolden(t *testing.T) {
	for name, b := range goldens() {
		golden := filepath.Join("testdata", name+".seg")
		holdWriter(t, golden, b, secretOf(t, name))
		r := open(t, golden)
		if err := r.wholly(); err != nil {
			t.Error(err)
		}
		checkEntries(t, r, b)
	}
}

// holdWriter holds what is written of b to the golden file.
func holdWriter(t *testing.T, golden string, b Entries, hash *keyed.Hash) {
	t.Helper()
	got, err := os.ReadFile(writeKeyed(t, b, hash))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: the writer's bytes are not those of the golden file", golden)
	}
}

// checkEntries looks up every entry of b, and the keys beside it that are none.
func checkEntries(t *testing.T, r *Reader, b Entries) {
	t.Helper()
	if int(r.Len()) != len(b.Keys) {
		t.Errorf("Len() = %d, want %d", r.Len(), len(b.Keys))
	}
	found := make([]bool, len(b.Keys))
	if err := r.has(b.Keys, found); err != nil || slices.Contains(found, false) {
		t.Errorf("has: %v, of %d keys the first that is not is %d", err, len(found), slices.Index(found, false))
	}
	for i, k := range b.Keys {
		value, ok, err := r.Get(k)
		if err != nil || !ok {
			t.Fatalf("Get(%016x) = %v, %v", k, ok, err)
		}
		if b.Values != nil && !bytes.Equal(value, b.Values[i]) {
			t.Errorf("Get(%016x) = %.20q", k, value)
		}
		if i > 0 && k-b.Keys[i-1] > 1 {
			if _, ok, _ := r.Get(k - 1); ok {
				t.Errorf("Get(%016x): found, but was never added", k-1)
			}
		}
	}
}

func TestUnevenKeys(t *testing.T) {
	// Interpolation only guesses: keys that are no hashes must be found too.
	var b Entries
	for i := range uint64(5000) {
		b.Keys = append(b.Keys, i, i*i*i, math.MaxUint64-i*i)
	}
	b.Sort()
	checkEntries(t, open(t, write(t, b)), b)
}

// TestWidths: a block's keys are as long as the distance of the last from the first, and are found.
func TestWidths(t *testing.T) {
	hold := func(width int, b Entries) {
		t.Helper()
		r := open(t, write(t, b))
		checkEntries(t, r, b)
		var x opened
		if err := r.block(0, &x); err != nil || x.width != width {
			t.Errorf("keys %x: %d bytes, want %d (%v)", b.Keys, x.width, width, err)
		}
	}
	hold(1, Entries{Keys: []uint64{1 << 60}})
	for width := range 8 {
		least, most := uint64(1)<<(8*width), ^uint64(0)>>(56-8*width)
		hold(width+1, Entries{Keys: []uint64{0, least}})
		hold(width+1, Entries{Keys: []uint64{0, most}})
	}
}

func TestBytesPerKey(t *testing.T) {
	for n, most := range map[uint64]float64{100_000: 8.04, 400_000: 7.04} {
		var b Entries
		for i := range n {
			b.Keys = append(b.Keys, i*0x9e3779b97f4a7c15)
		}
		b.Sort()
		if size := open(t, write(t, b)).Size(); float64(size)/float64(n) > most {
			t.Errorf("%d bytes for %d keys", size, n)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(output.NewRun(io.Discard), filepath.Join(dir, "a"), true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(5, nil); err != nil {
		t.Fatal(err)
	}
	for _, key := range []uint64{5, 4} {
		if err := w.Add(key, nil); err == nil {
			t.Errorf("key %d behind 5 was taken", key)
		}
	}
	if err := w.Add(6, make([]byte, maxValue+1)); err == nil {
		t.Error("a value over the bound was taken")
	}
	if _, err := Create(output.NewRun(io.Discard), filepath.Join(dir, "a"), true, nil); err == nil {
		t.Error("a file was overwritten")
	}
}

// TestDamage flips every byte of a small segment, and cuts it at every length; the mark of a keyed
// one too.
func TestDamage(t *testing.T) {
	b := Entries{}
	b.Add(1, []byte("one"))
	b.Add(2, []byte("two"))
	path := filepath.Join(t.TempDir(), "damaged")
	verify := func(data []byte) error {
		os.WriteFile(path, data, 0o666)
		return readAll(path, 2) // must not panic
	}
	for _, hash := range []*keyed.Hash{nil, secretOf(t, "v3/")} {
		whole, err := os.ReadFile(writeKeyed(t, b, hash))
		if err != nil {
			t.Fatal(err)
		}
		if err := verify(whole); err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			data := bytes.Clone(whole)
			data[i] ^= 0x81
			if err := verify(data); err == nil {
				t.Errorf("byte %d flipped: not noticed", i)
			}
			if err := verify(whole[:i]); !errors.Is(err, blockfile.ErrDamaged) {
				t.Errorf("cut to %d bytes: %v", i, err)
			}
		}
		if err := verify(append(bytes.Clone(whole), 0)); !errors.Is(err, blockfile.ErrDamaged) {
			t.Errorf("one byte more: %v", err)
		}
	}
}

func TestOtherVersion(t *testing.T) {
	data, err := os.ReadFile(write(t, Entries{Keys: []uint64{1}}))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "other")
	for _, version := range []byte{byte(kind.Plain - 1), byte(kind.Keyed + 1)} {
		data[8] = version
		os.WriteFile(path, data, 0o666)
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), fmt.Sprint("of version ", version)) {
			t.Errorf("Open = %v, want a word about version %d", err, version)
		}
	}
}

func TestForeignFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foreign")
	os.WriteFile(path, bytes.Repeat([]byte("http://a/\n"), 20), 0o666)
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "does not begin as one") {
		t.Errorf("Open = %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	values := Entries{}
	values.Add(7, []byte("seven"))
	values.Add(8, nil)
	for _, b := range []Entries{values, {Keys: []uint64{1, 7,
		math.MaxUint64}}} { // small: the fuzzer shortens what it finds
		data, err := os.ReadFile(write(f, b))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint64(7))
	}
	f.Fuzz(func(t *testing.T, data []byte, key uint64) {
		path := filepath.Join(t.TempDir(), "s")
		for _, data := range [][]byte{data, seal(data)} {
			os.WriteFile(path, data, 0o666)
			readAll(path, key)
		}
	})
}
