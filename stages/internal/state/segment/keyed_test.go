package segment

import (
	"errors"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/testkit/committed"
)

// secretOf is the secret of the golden files of version 3.
func secretOf(t testing.TB, golden string) *keyed.Hash {
	t.Helper()
	if !strings.HasPrefix(golden, "v3/") {
		return nil
	}
	h, err := keyed.New("000102030405060708090a0b0c0d0e0f", "the test")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A state is never read with another secret than the one that its keys were made with.
func TestSecrets(t *testing.T) {
	mine := secretOf(t, "v3/")
	other, err := keyed.New(strings.Repeat("0", 32), "another")
	if err != nil {
		t.Fatal(err)
	}
	with := writeKeyed(t, Entries{Keys: []uint64{1}}, mine)
	s := &committed.Segments{Dir: t.TempDir(), Paths: []string{with}}
	if _, err := OpenSet(s.List(t), other); !errors.Is(err, keyed.ErrSecret) {
		t.Errorf("OpenSet with another secret: %v", err)
	}
	if err := VerifyFile(with, other, nil); !errors.Is(err, keyed.ErrSecret) {
		t.Errorf("VerifyFile with another secret: %v", err)
	}
	if err := VerifyFile(with, mine, nil); err != nil {
		t.Error(err)
	}
}

// What is merged has the mark of the set, also where nothing but its own keys is written.
func TestMark(t *testing.T) {
	mine := secretOf(t, "v3/")
	s := newState(t)
	s.hash = mine
	for n := range 5 {
		s.append(t, Entries{Keys: []uint64{uint64(n), 1 << 40}})
		for _, path := range s.Paths {
			if r := open(t, path); r.file.Mark != mine.Mark() {
				t.Fatalf("after %d: mark %x", n, r.file.Mark)
			}
		}
	}
}
