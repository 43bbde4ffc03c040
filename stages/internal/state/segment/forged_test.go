package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"multitext/stages/internal/state/blockfile"
	"multitext/stages/internal/testkit/forge"
)

// seal returns the bytes of a segment with all checksums right again.
func seal(data []byte) []byte { return forge.Seal(data, indexSize) }

// TestForged: what no checksum shows is noticed all the same: a segment that was written wrongly,
// or on purpose.
func TestForged(t *testing.T) {
	b := Entries{}
	b.Add(1, []byte("one"))
	b.Add(2, []byte("two"))
	two := Entries{}
	two.Add(1, bytes.Repeat([]byte("x"), blockValues+1)) // ends its block
	two.Add(2, nil)
	blocks, err := os.ReadFile(write(t, two))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(write(t, b))
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	index, foot := len(whole)-blockfile.FooterSize-indexSize, len(whole)-blockfile.FooterSize
	for name, change := range map[string]func([]byte){
		"a key twice":            func(d []byte) { le.PutUint64(d[blockfile.HeaderSize+8:], 1) },
		"keys that descend":      func(d []byte) { le.PutUint64(d[blockfile.HeaderSize:], 3) },
		"a value behind its end": func(d []byte) { le.PutUint32(d[blockfile.HeaderSize+16:], 7) },
		"a value of 4 GB":        func(d []byte) { le.PutUint32(d[blockfile.HeaderSize+20:], 1<<32-1) },
		"more entries than room": func(d []byte) { le.PutUint32(d[index+16:], 4) },
		"no entries":             func(d []byte) { le.PutUint32(d[index+16:], 0) },
		"a block in the header":  func(d []byte) { le.PutUint64(d[index:], 0) },
		"a block behind the end": func(d []byte) { le.PutUint64(d[index:], 1<<40) },
		"a wrong total":          func(d []byte) { le.PutUint64(d[foot:], 3) },
		"2^59 blocks": func(d []byte) {
			le.PutUint64(d[foot+8:], 1<<59)
			le.PutUint64(d[foot+16:], uint64(foot))
			le.PutUint64(d[foot:], 0)
		},
		"an index in front of the file": func(d []byte) { // as 64 bits without a sign have it
			le.PutUint64(d[foot+8:], 3)
			le.PutUint64(d[foot+16:], uint64(foot)-3*indexSize)
		},
		"an index in the header":  func(d []byte) { le.PutUint64(d[foot+16:], 8) },
		"an index behind the end": func(d []byte) { le.PutUint64(d[foot+16:], 1<<63) },
	} {
		data := bytes.Clone(whole)
		change(data)
		path := filepath.Join(t.TempDir(), "forged")
		os.WriteFile(path, seal(data), 0o666)
		if err := readAll(path, 2); !errors.Is(err, blockfile.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "blocks")
	le.PutUint64(blocks[len(blocks)-blockfile.FooterSize-indexSize:], 1<<40)
	os.WriteFile(path, seal(blocks), 0o666)
	if err := readAll(path, 1); !errors.Is(err, blockfile.ErrDamaged) {
		t.Errorf("a second block behind the end: %v", err)
	}

	path = filepath.Join(t.TempDir(), "sealed")
	os.WriteFile(path, seal(whole), 0o666)
	if got, _ := os.ReadFile(path); !bytes.Equal(got, whole) || readAll(path, 2) != nil {
		t.Error("a whole segment is another when it is sealed")
	}
}

// TestForgedWidth: short keys are as long as the index says, so that is held to what there can be.
func TestForgedWidth(t *testing.T) {
	whole, err := os.ReadFile(write(t, Entries{Keys: []uint64{0, 1 << 56}}))
	if err != nil {
		t.Fatal(err)
	}
	index := len(whole) - blockfile.FooterSize - indexSize
	bad := blockfile.ErrDamaged
	for _, c := range []struct {
		n, width uint32
		want     error
	}{{2, 8, nil}, {2, 7, nil}, {1, 1, nil}, {16, 1, nil}, {17, 1, bad}, {3, 8, bad}, {0, 1, bad}, {1, 0, bad},
		{1, 9, bad}, {1, 16, bad}, {2, 1 << 31, bad}} {
		data := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(data[index+16:], c.n)
		binary.LittleEndian.PutUint32(data[index+20:], c.width)
		path := filepath.Join(t.TempDir(), "forged")
		os.WriteFile(path, seal(data), 0o666)
		var x opened
		if err := open(t, path).block(0, &x); !errors.Is(err, c.want) {
			t.Errorf("%d keys of %d bytes: %v, want %v", c.n, c.width, err, c.want)
		}
	}
}

// readAll opens, asks and verifies; it must not panic.
func readAll(path string, key uint64) error {
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	r.Get(key)
	return r.wholly()
}
