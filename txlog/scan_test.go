package txlog

import (
	"maps"
	"reflect"
	"slices"
	"testing"
)

// TestScanSealed: a scan has the batches of the checkpoint and the records of a replay.
func TestScanSealed(t *testing.T) {
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
	err = ReadSealed(dir, generation, func(s *State) error {
		for name := range s.Batches() {
			live = append(live, name)
		}
		return nil
	}, func(_ *State, r Record) error { want = append(want, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[Name]int64{}
	err = ScanSealed(dir, generation, func(b *Batch) error { sizes[b.Name] = b.Size; return nil },
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
}
