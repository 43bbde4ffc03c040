package txlog

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"
)

// TestScan: a scan has the batches of the checkpoint and the records of a replay, of a sealed
// generation as of the current log; a deleted one is told.
func TestScan(t *testing.T) {
	dir := t.TempDir()
	l, err := Begin(OS{}, dir, NewState(goldenEpoch), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	records := story()
	for i, r := range records {
		if i == 3 {
			if err := l.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	generation := l.State.Generation()
	if err := l.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	var live, scanned []Name
	var want, got []Record
	err = ReadSealed(dir, generation, func(before *State, r Record) error {
		if want == nil { // the state of the checkpoint
			live = slices.Collect(maps.Keys(maps.Collect(before.Batches())))
		}
		want = append(want, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[Name]int64{}
	err = Scan(dir, generation, func(b *Batch) error { sizes[b.Name] = b.Size; return nil },
		func(r Record) error { got = append(got, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	scanned = slices.Sorted(maps.Keys(sizes))
	slices.Sort(live)
	if !slices.Equal(scanned, live) || len(live) == 0 || sizes[live[0]] < 100 {
		t.Errorf("batches %q of sizes %v, want %q", scanned, sizes, live)
	}
	if !reflect.DeepEqual(got, want) || len(got) != len(records)-3 {
		t.Errorf("%d records, want %d", len(got), len(want))
	}
	current := l.State.Generation()
	if err := l.Append(records[0]); err != nil {
		t.Fatal(err)
	}
	got = nil
	if err := Scan(dir, current, nil, func(r Record) error { got = append(got, r); return nil }); err != nil || len(got) != 1 {
		t.Errorf("of the current log a scan has %d records: %v", len(got), err)
	}
	if err := os.Remove(sealed(dir, generation)); err != nil {
		t.Fatal(err)
	}
	nothing := func(Record) error { return errors.New("a record of another generation") }
	if err := Scan(dir, generation, nil, nothing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a deleted generation: %v", err)
	}
}

// A growing reader ends within a line once, and then goes on: more was written meanwhile.
type growing struct {
	text []byte
	at   []int // it ends there
}

func (g *growing) Read(p []byte) (int, error) {
	if len(g.at) == 0 {
		return 0, io.EOF
	}
	n := copy(p, g.text[:g.at[0]])
	g.text, g.at[0] = g.text[n:], g.at[0]-n
	if n == 0 {
		if g.at = g.at[1:]; len(g.at) > 0 {
			g.at[0] = min(g.at[0], len(g.text))
		}
		return 0, io.EOF
	}
	return n, nil
}

// TestHalfLine: a line that is being written is read as far as it is there. It is no damage, even
// if its rest comes while it is looked at.
func TestHalfLine(t *testing.T) {
	text, ends, checkpoint := storyLog(t)
	half := (ends[checkpoint] + ends[checkpoint+1]) / 2
	for _, grows := range []bool{true, false} {
		rp, err := open(&growing{text, []int{half, len(text)}})
		if err != nil {
			t.Fatal(err)
		}
		rp.grows = grows
		lines := 0
		err = rp.read(func(Record) error { lines++; return nil })
		if damage := (*Damage)(nil); grows && (err != nil || lines != 1) || !grows && !errors.As(err, &damage) {
			t.Errorf("if the log grows: %t: %d records, %v", grows, lines, err)
		}
	}
}
