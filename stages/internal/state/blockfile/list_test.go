package blockfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
)

// toy is a kind without blocks.
var toy = &Kind{Name: "toy", Magic: "mttoytoy", EndMagic: "mttoyend", Plain: 1, Keyed: 2, Entry: 16}

// A toyReader reads a toy.
type toyReader struct{ File }

func openToy(path string) (*toyReader, error) {
	f, err := toy.Open(path)
	return &toyReader{f}, err
}

func makeToy(t *testing.T, hash *keyed.Hash) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "toy")
	w, err := toy.Create(output.NewRun(io.Discard), path, 0, hash)
	if err == nil {
		err = w.Close(0, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func listOf(t *testing.T, paths ...string) string {
	t.Helper()
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(strings.Join(paths, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSecrets: a state is never read with another secret than the one that its keys were made with,
// nor without it; and one that was begun without a secret goes on without.
func TestSecrets(t *testing.T) {
	var hashes []*keyed.Hash
	for i := range 2 {
		hash, err := keyed.New(strings.Repeat(fmt.Sprint(i), 32), "the test")
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
	}
	mine, other := hashes[0], hashes[1]
	with, without := makeToy(t, mine), makeToy(t, nil)
	for name, c := range map[string]struct {
		paths      []string
		hash, want *keyed.Hash
		bad        bool
	}{
		"empty":                {nil, mine, mine, false},
		"with":                 {[]string{with, with}, mine, mine, false},
		"begun without":        {[]string{without, without}, mine, nil, false},
		"without":              {[]string{without}, nil, nil, false},
		"another's":            {[]string{with}, other, nil, true},
		"the secret is gone":   {[]string{with}, nil, nil, true},
		"with, then without":   {[]string{with, without}, mine, nil, true},
		"without, then with":   {[]string{without, with}, mine, nil, true},
		"another's is the 2nd": {[]string{with, makeToy(t, other)}, mine, nil, true},
	} {
		all, made, err := OpenAll(listOf(t, c.paths...), c.hash, openToy)
		if (err != nil) != c.bad || err != nil && !errors.Is(err, keyed.ErrSecret) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && (made != c.want || len(all) != len(c.paths)) {
			t.Errorf("%s: %d files, keys are made by %v", name, len(all), made)
		}
		if err := CloseAll(all); err != nil {
			t.Error(err)
		}
	}
}

// TestNoState: no list, an empty one and one that is not there are the empty state; a file that a
// list names must be there.
func TestNoState(t *testing.T) {
	for _, list := range []string{"", listOf(t), listOf(t, "", " "), filepath.Join(t.TempDir(), "absent")} {
		if all, _, err := OpenAll(list, nil, openToy); len(all) != 0 || err != nil {
			t.Errorf("%q: %d files, %v", list, len(all), err)
		}
	}
	for _, list := range []string{listOf(t, makeToy(t, nil), "/nowhere/toy"), t.TempDir()} {
		_, _, err := OpenAll(list, nil, openToy)
		if err == nil || !strings.Contains(err.Error(), list) && !strings.Contains(err.Error(), "/nowhere/toy") {
			t.Errorf("%s: %v", list, err)
		}
	}
}
