package blockfile

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// TestMarkMissing: a file of keys that a secret made has a mark, and room for it, whatever its
// checksums say.
func TestMarkMissing(t *testing.T) {
	k := toy
	le := binary.LittleEndian
	for _, mark := range []int{0, markSize} { // bytes of it, all zero
		d := append(le.AppendUint32(le.AppendUint32([]byte(k.Magic), k.Keyed), 0), make([]byte, mark)...)
		end := uint64(len(d))
		for _, v := range []uint64{0, 0, end, xxhash.Sum64(nil)} {
			d = le.AppendUint64(d, v)
		}
		d = append(d, k.EndMagic...)
		if mark == 0 {
			d[HeaderSize] = 1 // what is read as the mark
		}
		sum := xxhash.Sum64(append(append([]byte(nil), d[:HeaderSize+markSize]...), d[end:]...))
		path := filepath.Join(t.TempDir(), "toy")
		os.WriteFile(path, le.AppendUint64(d, sum), 0o666)
		if _, err := k.Open(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("a mark of %d bytes: %v", mark, err)
		}
	}
}
