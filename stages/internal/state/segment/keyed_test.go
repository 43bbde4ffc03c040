package segment

import (
	"errors"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
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

// A state is never read with another secret than the one that its keys were made with, nor without
// it; and one that was begun without a secret goes on without.
func TestSecrets(t *testing.T) {
	mine := secretOf(t, "v3/")
	other, err := keyed.New(strings.Repeat("0", 32), "another")
	if err != nil {
		t.Fatal(err)
	}
	with, without := writeKeyed(t, Entries{Keys: []uint64{1}}, mine), write(t, Entries{Keys: []uint64{1}})
	for name, c := range map[string]struct {
		paths []string
		hash  *keyed.Hash
		want  *keyed.Hash
		bad   bool
	}{
		"empty":                {nil, mine, mine, false},
		"with":                 {[]string{with, with}, mine, mine, false},
		"begun without":        {[]string{without, without}, mine, nil, false},
		"without":              {[]string{without}, nil, nil, false},
		"another's":            {[]string{with}, other, nil, true},
		"the secret is gone":   {[]string{with}, nil, nil, true},
		"with, then without":   {[]string{with, without}, mine, nil, true},
		"without, then with":   {[]string{without, with}, mine, nil, true},
		"another's is the 2nd": {[]string{with, writeKeyed(t, Entries{Keys: []uint64{1}}, other)}, mine, nil, true},
	} {
		s := &state{dir: t.TempDir(), paths: c.paths}
		set, err := OpenSet(s.list(), c.hash)
		if (err != nil) != c.bad || err != nil && !errors.Is(err, keyed.ErrSecret) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if set.Hash() != c.want {
			t.Errorf("%s: keys are made by %v", name, set.Hash())
		}
		set.Close()
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
	s := &state{dir: t.TempDir(), hash: mine}
	for n := range 5 {
		s.append(t, n, Entries{Keys: []uint64{uint64(n), 1 << 40}})
		for _, path := range s.paths {
			if r := open(t, path); r.file.Mark != mine.Mark() {
				t.Fatalf("after %d: mark %x", n, r.file.Mark)
			}
		}
	}
}
