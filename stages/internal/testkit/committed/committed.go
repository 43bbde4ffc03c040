// Package committed keeps, for tests, which segments of a state are committed, as the manager does.
package committed

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/report"
)

// Segments is the committed segments of a state. The zero value, with a folder, is an empty state.
type Segments struct {
	Dir   string
	Paths []string // oldest first
	Runs  int      // that were committed
}

// List writes the list of the segments, as a stage is given it, and returns its path.
func (s *Segments) List(t testing.TB) string {
	t.Helper()
	path := filepath.Join(s.Dir, "list")
	text := strings.Join(append(slices.Clone(s.Paths), ""), "\n")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// New is the path of the segment that the next run may make.
func (s *Segments) New() string { return filepath.Join(s.Dir, fmt.Sprint("segment-", s.Runs+1)) }

// Commit commits what a run reports that may have made New. It returns the bytes of that, 0 if the
// run did not make it. What was replaced is removed; what is mapped of it stays.
func (s *Segments) Commit(t testing.TB, rep *report.Report) int64 {
	t.Helper()
	path := filepath.Join(s.Dir, "report")
	if err := rep.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	return s.CommitFile(t, path)
}

// CommitFile is Commit of the report in a file.
func (s *Segments) CommitFile(t testing.TB, reported string) (written int64) {
	t.Helper()
	text, err := os.ReadFile(reported)
	if err != nil {
		t.Fatal(err)
	}
	kept := len(s.Paths) - strings.Count("\n"+string(text), "\nreplaces ")
	for _, old := range s.Paths[kept:] {
		if !strings.Contains("\n"+string(text), "\nreplaces "+old+"\n") {
			t.Fatalf("the report does not replace the newest %d:\n%s", len(s.Paths)-kept, text)
		}
		os.Remove(old)
	}
	s.Paths = s.Paths[:kept:kept]
	if info, err := os.Stat(s.New()); err == nil {
		s.Paths, written = append(s.Paths, s.New()), info.Size()
	}
	s.Runs++
	return written
}

// Bytes is the size of the state.
func (s *Segments) Bytes(t testing.TB) (n int64) {
	t.Helper()
	for _, path := range s.Paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}
