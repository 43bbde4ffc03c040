package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
)

// longBlock is a segment of one block of n keys, as no writer makes them.
func longBlock(n int) []byte {
	le := binary.LittleEndian
	d := le.AppendUint32(le.AppendUint32([]byte(kind.Magic), kind.Plain), 0)
	for i := range n {
		d = le.AppendUint64(d, uint64(i)<<40)
	}
	end := len(d)
	d = block{offset: blockfile.HeaderSize, n: uint32(n), width: 8}.append(d)
	for _, x := range []uint64{uint64(n), 1, uint64(end), 0} {
		d = le.AppendUint64(d, x)
	}
	return seal(le.AppendUint64(append(d, kind.EndMagic...), 0))
}

// TestLongBlock: a block of more entries than the format has is damage to all who read it. (Eight
// times their number, as the index has it, might not even fit 32 bits.)
func TestLongBlock(t *testing.T) {
	for n, want := range map[int]error{blockKeys: nil, blockKeys + 1: blockfile.ErrDamaged} {
		path := filepath.Join(t.TempDir(), "long")
		if err := os.WriteFile(path, longBlock(n), 0o666); err != nil {
			t.Fatal(err)
		}
		r := open(t, path)
		_, _, get := r.Get(5)
		for name, err := range map[string]error{
			"Verify": r.wholly(), "Get": get, "Has": r.has([]uint64{5}, make([]bool, 1)), "merge": mergeAway(t, r),
		} {
			if !errors.Is(err, want) {
				t.Errorf("%s of a block of %d: %v, want %v", name, n, err, want)
			}
		}
	}
}

// mergeAway merges r with a few keys into a file that nobody reads.
func mergeAway(t *testing.T, r *Reader) error {
	t.Helper()
	w, err := Create(output.NewRun(io.Discard), filepath.Join(t.TempDir(), "new"), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.addAll(&pair{a: &once{Entries{Keys: []uint64{1, 2, 3}}}, b: union([]*Reader{r})})
}

// TestForgedKeys: keys that are not where the index says, or are none, are noticed by who reads the
// whole segment, for no lookup would find them.
func TestForgedKeys(t *testing.T) {
	short := Entries{} // of two blocks, the keys of two bytes
	for i := range uint64(blockKeys + 2) {
		short.Keys = append(short.Keys, math.MaxUint64-2*(blockKeys+1)+2*i)
	}
	v2, err := os.ReadFile(write(t, short))
	if err != nil {
		t.Fatal(err)
	}
	one, err := os.ReadFile(write(t, Entries{Keys: []uint64{5}}))
	if err != nil {
		t.Fatal(err)
	}
	const second = blockfile.HeaderSize + 2*blockKeys // block of v2, of keys of one byte
	le, index := binary.LittleEndian, len(v2)-blockfile.FooterSize-2*indexSize
	for name, c := range map[string]struct {
		whole []byte
		forge func([]byte)
	}{
		"the first key is above the index's":     {v2, func(d []byte) { d[blockfile.HeaderSize] = 1 }},
		"the first key of the second block, too": {v2, func(d []byte) { d[second] = 1 }},
		"a block that begins in the header": {one,
			func(d []byte) { le.PutUint64(d[len(d)-blockfile.FooterSize-indexSize:], blockfile.HeaderSize-1) }},
		"a key twice": {v2, func(d []byte) { d[blockfile.HeaderSize+4] = 2 }},
		"a key twice, in two blocks": {v2,
			func(d []byte) { le.PutUint64(d[index+indexSize+8:], short.Keys[blockKeys-1]) }},
		"keys that descend":    {v2, func(d []byte) { d[blockfile.HeaderSize+2] = 9 }},
		"a key beyond 64 bits": {v2, func(d []byte) { d[second+1] = 200 }},
	} {
		data := bytes.Clone(c.whole)
		c.forge(data)
		path := filepath.Join(t.TempDir(), "forged")
		os.WriteFile(path, seal(data), 0o666)
		r := open(t, path)
		if err := r.wholly(); !errors.Is(err, blockfile.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if mergeAway(t, r) == nil {
			t.Errorf("%s: merged", name)
		}
	}
}

// FuzzForged holds that nobody who reads keys panics, or goes on for ever, at a file in which
// anything was changed and the checksums are right again.
func FuzzForged(f *testing.F) {
	var wholes [][]byte
	for _, shift := range []int{52, 37, 0} { // keys of 8, 6 and 2 bytes
		b := Entries{}
		for i := range uint64(3*blockKeys - 5) {
			b.Keys = append(b.Keys, i<<shift)
		}
		whole := encode(f, false, nil, func(w *Writer) error { return w.addAll(&once{b}) })
		wholes = append(wholes, whole)
		index, which := len(whole)-blockfile.FooterSize-3*indexSize, uint8(len(wholes)-1)
		f.Add(which, uint16(blockfile.HeaderSize), uint64(math.MaxUint64), uint16(index+8),
			uint64(1<<63)) // the first block begins behind the others
		f.Add(which, uint16(index+16), uint64(1<<29), uint16(index), uint64(0))
		f.Add(which, uint16(index+indexSize), uint64(blockfile.HeaderSize+1), uint16(index+indexSize+8), uint64(0))
		f.Add(which, uint16(index+16), uint64(8<<32+blockKeys), uint16(index+2*indexSize+16),
			uint64(9<<32+100)) // wide keys
	}
	f.Fuzz(func(t *testing.T, which uint8, at uint16, word uint64, also uint16, other uint64) {
		data := bytes.Clone(wholes[int(which)%len(wholes)])
		binary.LittleEndian.PutUint64(data[int(at)%(len(data)-8):], word)
		binary.LittleEndian.PutUint64(data[int(also)%(len(data)-8):], other)
		path := filepath.Join(t.TempDir(), "forged")
		os.WriteFile(path, seal(data), 0o666)
		r, err := Open(path)
		if err != nil {
			return
		}
		defer r.Close()
		asked := []uint64{0, 1, word - 1, word, word + 1, other, 5 << 52, 5 << 37, 2000, 1 << 62, math.MaxUint64}
		slices.Sort(asked)
		r.has(asked, make([]bool, len(asked)))
		mergeAway(t, r)
		r.wholly()
	})
}
