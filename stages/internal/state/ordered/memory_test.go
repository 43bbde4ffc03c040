package ordered

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/testkit/committed"
	"multitext/stages/internal/testkit/stagetest"
)

// trailing is an Edit whose walk beside goes through the first half of the entries while the merge goes
// through the second, as that of a frontier goes through the rows while the chunks are merged.
type trailing struct {
	unedited
	half   Key
	beside *Merged
}

func (e *trailing) Begin(_ bool, beside *Merged) error {
	e.beside = beside
	return nil
}

func (e *trailing) Entry(key Key, value []byte, put Put) error {
	if !key.Less(e.half) {
		if _, _, _, err := e.beside.Next(); err != nil {
			return err
		}
	}
	return put(key, value)
}

// TestMergeMemory: a merge of 96 MB does not keep in memory what it has read, nor what the Edit has.
func TestMergeMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 200 MB")
	}
	const each = 6 << 10 // entries of a segment
	prepare := func(dir string) {
		s := &state{Segments: committed.Segments{Dir: dir}}
		for segment := range uint64(2) {
			b := &Entries{}
			for i := range uint64(each) {
				b.Add(Key{2*i + segment, i}, make([]byte, 8<<10))
			}
			set := s.open(t)
			set.ratio = 0 // nothing is merged
			s.append(t, set, b, nil)
			set.Close()
		}
		s.List(t)
	}
	stagetest.Peak(t, 40<<20, prepare, func(dir string) {
		set, err := OpenSet(filepath.Join(dir, "list"), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
		set.MergeAll()
		b, path := &Entries{}, filepath.Join(dir, "new")
		b.Add(Key{}, []byte("new"))
		edit := &trailing{half: Key{each, 0}}
		if err := set.Append(output.NewRun(io.Discard), path, b, edit, report.New()); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() < 96<<20 {
			t.Fatal(info, err)
		}
	})
}
