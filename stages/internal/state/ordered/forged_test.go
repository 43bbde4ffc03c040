package ordered

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
	"multitext/stages/internal/testkit/forge"
)

// seal returns the bytes of a segment with all checksums right again.
func seal(data []byte) []byte { return forge.Seal(data, indexSize) }

// twoBlocks is a segment of which the second block begins with key 9:9.
func twoBlocks(t testing.TB) []byte {
	e := &Entries{}
	e.Add(Key{1, 1}, []byte("one"))
	e.Add(Key{1, 2}, []byte("two"))
	e.Add(Key{1, 3}, bytes.Repeat([]byte("x"), blockBytes)) // ends its block
	e.Add(Key{9, 9}, nil)
	return encode(t, e, nil)
}

// TestForged: what no checksum shows is noticed all the same by who reads the whole segment: one
// that was written wrongly, or on purpose.
func TestForged(t *testing.T) {
	whole := twoBlocks(t)
	le := binary.LittleEndian
	foot := len(whole) - blockfile.FooterSize
	index := foot - 2*indexSize
	second := int(le.Uint64(whole[index+indexSize:])) // block; its keys are nothing, so are its ends
	if second != index {
		t.Fatalf("the second block, of an entry without a value, has %d bytes", index-second)
	}
	const keys, ends = blockfile.HeaderSize, blockfile.HeaderSize + 3 // of the first block
	for name, change := range map[string]func([]byte){
		"a key twice":       func(d []byte) { d[keys+1] = 1 },
		"keys that descend": func(d []byte) { d[keys+1] = 4 },
		"a key twice, in two blocks": func(d []byte) {
			le.PutUint64(d[index+indexSize+8:], 1)
			d[index+indexSize+16] = 3
		},
		"a first key above the index's": func(d []byte) { d[keys] = 0 },
		"a value behind its end":        func(d []byte) { d[ends] = 9 },
		"a value of 64 kB":              func(d []byte) { le.PutUint16(d[ends+4:], 1<<16-1) },
		"values behind the block":       func(d []byte) { le.PutUint32(d[index+24:], 1<<32-1) },
		"more entries than room":        func(d []byte) { d[index+indexSize+28] = 1 },
		"ends where there are none":     func(d []byte) { le.PutUint16(d[index+indexSize+30:], 2) },
		"ends of 1 byte":                func(d []byte) { le.PutUint16(d[index+30:], 1) },
		"ends of 3 bytes":               func(d []byte) { le.PutUint16(d[index+30:], 3) },
		"ends of 8 bytes":               func(d []byte) { le.PutUint16(d[index+30:], 8) },
		"no entries":                    func(d []byte) { le.PutUint32(d[index+24:], 0) },
		"a block in the header":         func(d []byte) { le.PutUint64(d[index:], 8) },
		"a block behind the end":        func(d []byte) { le.PutUint64(d[index+indexSize:], 1<<40) },
		"blocks that descend": func(d []byte) {
			le.PutUint64(d[index+indexSize:], 16)
			le.PutUint64(d[index:], 20)
		},
		"a wrong total":           func(d []byte) { le.PutUint64(d[foot:], 3) },
		"2^59 blocks":             func(d []byte) { le.PutUint64(d[foot+8:], 1<<59) },
		"an index behind the end": func(d []byte) { le.PutUint64(d[foot+16:], 1<<63) },
		"another end":             func(d []byte) { d[foot+32] ^= 1 },
		"an index in the header":  func(d []byte) { le.PutUint64(d[foot+16:], 8) },
	} {
		data := bytes.Clone(whole)
		change(data)
		path := file(t, seal(data))
		walk(path)
		if err := wholly(path, nil); !errors.Is(err, blockfile.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if r, err := openReader(path); err == nil {
			if mergeAway(t, r) == nil && name != "a wrong total" {
				t.Errorf("%s: merged", name)
			}
			r.Close()
		}
	}
	one := &Entries{} // a block of no bytes, whatever lies there
	one.Add(Key{1, 1}, nil)
	header := encode(t, one, nil)
	le.PutUint64(header[len(header)-blockfile.FooterSize-indexSize:], 8)
	if err := wholly(file(t, seal(header)), nil); !errors.Is(err, blockfile.ErrDamaged) {
		t.Errorf("a block of no keys in the header: %v", err)
	}
	if path := file(t, seal(whole)); wholly(path, nil) != nil {
		t.Error("a whole segment is another when it is sealed")
	}
}

// TestLongBlock: a block of more entries than the format has is damage to all who read it.
func TestLongBlock(t *testing.T) {
	for n, want := range map[int]error{blockKeys: nil, blockKeys + 1: blockfile.ErrDamaged} {
		le := binary.LittleEndian
		d := le.AppendUint32(le.AppendUint32([]byte(kind.Magic), kind.Plain), 0)
		for i := range n {
			d = binary.BigEndian.AppendUint16(d, uint16(i))
		}
		end := len(d)
		x := block{offset: blockfile.HeaderSize, n: uint32(n), mask: 3 << 14}
		d = x.append(d)
		for _, v := range []uint64{uint64(n), 1, uint64(end), 0} {
			d = le.AppendUint64(d, v)
		}
		r := open(t, file(t, seal(le.AppendUint64(append(d, kind.EndMagic...), 0))))
		_, _, get := r.get(Key{0, 5})
		for name, err := range map[string]error{
			"get": get, "merge": mergeAway(t, r), "Seek": newCursor([]*reader{r}, false).Seek(Key{0, 7}),
			"verify": r.verify(func(Key, []byte) error { return nil }),
		} {
			if !errors.Is(err, want) {
				t.Errorf("%s of a block of %d: %v, want %v", name, n, err, want)
			}
		}
	}
}

// mergeAway merges r with an entry into a file that nobody reads.
func mergeAway(t testing.TB, r *reader) error {
	w, err := create(output.NewRun(io.Discard), output.Stdout, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &Entries{}
	b.Add(Key{1, 1 << 40}, nil)
	return merge(b.with(newCursor([]*reader{r}, true)), unedited{}, w.add)
}

// FuzzOpen holds that nobody who reads a segment panics, or goes on for ever, whatever the file is,
// with its checksums right again too.
func FuzzOpen(f *testing.F) {
	e := &Entries{} // small: the fuzzer shortens what it finds
	e.Add(Key{1, 7}, []byte("seven"))
	e.Add(Key{2, 8}, nil)
	f.Add(encode(f, e, nil), uint64(1), uint64(7))
	f.Add(encode(f, e, secret(f)), uint64(1), uint64(7))
	f.Fuzz(func(t *testing.T, data []byte, hi, lo uint64) {
		path := filepath.Join(t.TempDir(), "s")
		for _, data := range [][]byte{data, seal(data)} {
			readAll(t, path, data, Key{hi, lo}, Key{lo, hi})
		}
	})
}

// FuzzForged is FuzzOpen of larger files, in which two words are changed.
func FuzzForged(f *testing.F) {
	few := &Entries{}
	for i := range uint64(5000) { // three blocks
		few.Add(Key{1 << 63, i << 20}, nil)
	}
	wholes := [][]byte{encode(f, golden(), nil), encode(f, few, nil), twoBlocks(f)}
	for which, whole := range wholes {
		foot := len(whole) - blockfile.FooterSize
		index := foot - indexSize // the last entry
		f.Add(uint8(which), uint32(index), uint64(17), uint32(index+8), uint64(0))
		f.Add(uint8(which), uint32(index+24), uint64(4)<<48|0xffff<<32|2048, uint32(index-indexSize), uint64(16))
		f.Add(uint8(which), uint32(index-indexSize+8), uint64(1<<63), uint32(index+24), uint64(2<<48|1))
		f.Add(uint8(which), uint32(20), uint64(1<<63), uint32(foot+8), uint64(1))
	}
	f.Fuzz(func(t *testing.T, which uint8, at uint32, word uint64, also uint32, other uint64) {
		data := bytes.Clone(wholes[int(which)%len(wholes)])
		binary.LittleEndian.PutUint64(data[int(at)%(len(data)-8):], word)
		binary.LittleEndian.PutUint64(data[int(also)%(len(data)-8):], other)
		path := filepath.Join(t.TempDir(), "s")
		readAll(t, path, seal(data), Key{word, other}, Key{1 << 63, word}, Key{other, 0})
	})
}

// readAll reads data, as the file at path, in all ways.
func readAll(t *testing.T, path string, data []byte, keys ...Key) {
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	walk(path, keys...)
	wholly(path, nil)
	if r, err := openReader(path); err == nil {
		mergeAway(t, r)
		r.Close()
	}
}
