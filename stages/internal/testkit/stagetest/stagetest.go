// Package stagetest runs stages inside tests: on real files, by the function that main calls.
package stagetest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
)

// Result is what one run of a stage left.
type Result struct {
	Code           int
	Stdout, Stderr string
	Report         string // the report's text, "" if there is none
}

// Run runs the stage on args, in front of which it puts -report.
func Run(t testing.TB, tool stage.Tool, setup stage.Setup, stdin string, args ...string) Result {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report")
	var out, err bytes.Buffer
	args = append([]string{"-report", report}, args...)
	code := stage.Run(t.Context(), tool, setup, args, strings.NewReader(stdin), &out, &err)
	text, _ := os.ReadFile(report)
	return Result{code, out.String(), err.String(), string(text)}
}

// MustRun is Run for a run that must succeed.
func MustRun(t testing.TB, tool stage.Tool, setup stage.Setup, stdin string, args ...string) Result {
	t.Helper()
	r := Run(t, tool, setup, stdin, args...)
	if r.Code != stage.ExitDone {
		t.Fatalf("%s %q: exit %d: %s", tool.Name, args, r.Code, r.Stderr)
	}
	return r
}

// Has reports whether the report holds line.
func (r Result) Has(line string) bool { return strings.Contains("\n"+r.Report, "\n"+line+"\n") }

// Wants fails the test for each of the lines that the report does not hold.
func (r Result) Wants(t testing.TB, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !r.Has(line) {
			t.Errorf("the report lacks %q:\n%s", line, r.Report)
		}
	}
}

// Write writes a URL batch of lines, each URL TAB key=value, and returns its path.
func Write(t testing.TB, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	w := urlbatch.NewWriter(output.NewRun(io.Discard), path, nil)
	for _, line := range lines {
		rec, err := urlbatch.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Lines returns the lines of the URL batch at path; none if there is no such file.
func Lines(t testing.TB, path string) []string {
	t.Helper()
	r, err := urlbatch.Open(path, nil)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var lines []string
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(rec.Line()))
	}
}
