package crash

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"multitext/txlog/crash/failpoint"
)

// The form of a failpoint (see package failpoint), and where to insert its import: after the
// package clause, so that no line number changes.
var (
	statements = regexp.MustCompile(`(?m)^(\t+)//failpoint:([a-z-]+) (.+)$`)
	steps      = regexp.MustCompile(`(?m)^(\t+)//failpoint:([a-z-]+)$`)
	clause     = regexp.MustCompile(`(?m)^package \w+$`)
)

// activate converts the failpoints of a source file to code.
func activate(text string) string {
	text = statements.ReplaceAllString(text, `${1}if failpoint.On("$2") { $3 }`)
	text = steps.ReplaceAllString(text, `${1}failpoint.Step("$2")`)
	return strings.Replace(text, clause.FindString(text),
		clause.FindString(text)+`; import "multitext/txlog/crash/failpoint"`, 1)
}

// sources returns the Go files of the module below root by path: either those of tests or the
// others.
func sources(root string, tests bool) (map[string]string, error) {
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && path != root && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") != tests {
			return nil
		}
		raw, err := os.ReadFile(path)
		texts[path] = string(raw)
		return err
	})
	return texts, err
}

// overlay writes a file for the go command's -overlay option that converts all failpoints to code.
func overlay(t testing.TB, root string) string {
	t.Helper()
	texts, err := sources(root, false)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for path, text := range texts {
		if !statements.MatchString(text) && !steps.MatchString(text) {
			continue
		}
		replace[path] = filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(path, root+"/"), "/", "_"))
		if err := os.WriteFile(replace[path], []byte(activate(text)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// Failpoints returns the environment variable that makes a program built by BuildFaulty execute the
// failpoints with these names. It fails the test if a name is in no source file.
func Failpoints(t testing.TB, names ...string) string {
	t.Helper()
	texts, err := sources(Root(t), false)
	if err != nil {
		t.Fatal(err)
	}
	there := statementNames(texts)
	for _, name := range names {
		if !there[name] {
			t.Fatalf("no source has the failpoint %q", name)
		}
	}
	return failpoint.Enabled + "=" + strings.Join(names, ",")
}

// statementNames returns the names of all failpoints that have a statement.
func statementNames(texts map[string]string) map[string]bool {
	names := map[string]bool{}
	for _, text := range texts {
		for _, found := range statements.FindAllStringSubmatch(text, -1) {
			names[found[2]] = true
		}
	}
	return names
}
