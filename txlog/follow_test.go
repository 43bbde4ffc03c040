package txlog

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A follower is a Follower with what it was told.
type follower struct {
	*Follower
	begun []uint64 // generations
	txs   []uint64
}

func (f *follower) more() error {
	return f.More(func(s *State) error {
		f.begun = append(f.begun, s.Generation())
		return nil
	}, func(before *State, r Record) error {
		if before.Next() > r.Number() {
			return errors.New("the state is not that before the record")
		}
		f.txs = append(f.txs, r.Number())
		return nil
	})
}

// TestFollowBytes: a log that grows byte by byte is read line by line, each once.
func TestFollowBytes(t *testing.T) {
	text, ends, checkpoint := storyLog(t)
	dir := t.TempDir()
	f := &follower{Follower: Follow(dir)}
	if err := f.more(); err != nil || f.State() != nil {
		t.Fatalf("without a log: %v, state %v", err, f.State())
	}
	path := filepath.Join(dir, LogFile)
	log, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	from := 0
	for to := ends[checkpoint-1]; to <= len(text); to++ {
		if _, err := log.Write(text[from:to]); err != nil {
			t.Fatal(err)
		}
		from = to
		if err := f.more(); err != nil {
			t.Fatalf("after %d bytes: %v", to, err)
		}
		if !f.rp.grows {
			t.Fatal("the log is not read as one that grows; see TestHalfLine")
		}
		want := 0
		for _, end := range ends[checkpoint:] {
			if end <= to {
				want++
			}
		}
		if len(f.txs) != want || len(f.begun) != 1 {
			t.Fatalf("after %d bytes: %d records and %d checkpoints, want %d and 1", to, len(f.txs), len(f.begun), want)
		}
	}
	whole, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.State().Files(), whole.State.Files()) || f.State().Seq() != whole.State.Seq() {
		t.Error("the state is not that of the whole log")
	}
	if err := log.Truncate(int64(len(text) - 1)); err != nil {
		t.Fatal(err)
	}
	var bad *Damage
	if err := f.more(); !errors.As(err, &bad) {
		t.Errorf("the log became shorter: %v", err)
	}
	if err := f.more(); err != nil || len(f.begun) != 2 {
		t.Errorf("after the error: %v, %d checkpoints, want to begin again", err, len(f.begun))
	}
}

// TestFollowGenerations: whenever it looks, it reads each record of the generations that it meets
// once, and only misses those that came and went.
func TestFollowGenerations(t *testing.T) {
	dir := t.TempDir()
	l, err := Begin(OS{}, dir, NewState(goldenEpoch), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	records := story()
	add := func(n int) {
		t.Helper()
		for _, r := range records[:n] {
			if err := l.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		records = records[n:]
	}
	seal := func() {
		t.Helper()
		if err := l.Checkpoint(); err != nil {
			t.Fatal(err)
		}
	}
	f := &follower{Follower: Follow(dir)}
	look := func(begun []uint64, txs ...uint64) {
		t.Helper()
		f.begun, f.txs = nil, nil
		if err := f.more(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(f.begun, begun) || !slices.Equal(f.txs, txs) {
			t.Errorf("checkpoints %d and transactions %d, want %d and %d", f.begun, f.txs, begun, txs)
		}
	}
	first := l.State.Generation()
	look([]uint64{first})
	add(1)
	look(nil, 1)
	look(nil)
	add(1)
	seal()
	look([]uint64{first + 1}, 2) // the rest of the old one, and the new one
	add(1)
	seal()
	add(1)
	look([]uint64{first + 2}, 3, 4)
	seal()
	add(1)
	seal() // its generation is only in the history
	look([]uint64{first + 4})
	l.Close()
	os.RemoveAll(dir)
	if err := f.more(); err == nil {
		t.Error("the directory is gone, and nobody says so")
	}
}

// TestFollowDamage: a line that was changed is an error, when it is read.
func TestFollowDamage(t *testing.T) {
	text, ends, checkpoint := storyLog(t)
	for _, line := range []int{checkpoint - 1, checkpoint, checkpoint + 1} {
		dir := t.TempDir()
		bad := slices.Clone(text)
		bad[ends[line]-5] ^= 1
		if err := os.WriteFile(filepath.Join(dir, LogFile), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		f := &follower{Follower: Follow(dir)}
		var damage *Damage
		if err := f.more(); !errors.As(err, &damage) || damage.Line != line+1 {
			t.Errorf("line %d is damaged: %v", line+1, err)
		}
	}
}
