package examples

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linked   = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	goDocked = regexp.MustCompile(`go doc (?:multitext|\.)/([a-z0-9/]+)`)
	decided  = regexp.MustCompile("\\]\\(([^)]+\\.go)\\)((?:,? `[A-Za-z]+`)+)")
	function = regexp.MustCompile("`([A-Za-z]+)`")
)

// TestDocsLeadSomewhere: what a README links to, the packages whose documentation it names, and the
// functions that it names behind a link to their file exist.
func TestDocsLeadSomewhere(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		for _, place := range broken(string(text), filepath.Dir(path), "..") {
			t.Errorf("%s: nothing lies at %s", path, place)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("only %d files were found", files)
	}
}

// broken lists what text, in the folder dir of the repository root, names in vain.
func broken(text, dir, root string) (places []string) {
	for _, m := range linked.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], ":") {
			continue // an address
		}
		if _, err := os.Stat(filepath.Join(dir, m[1])); err != nil {
			places = append(places, m[1])
		}
	}
	for _, m := range goDocked.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			places = append(places, m[1])
		}
	}
	for _, m := range decided.FindAllStringSubmatch(text, -1) {
		code, _ := os.ReadFile(filepath.Join(dir, m[1])) // that it is there was seen above
		for _, name := range function.FindAllStringSubmatch(m[2], -1) {
			if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name[1] + `\b`).Match(code) {
				places = append(places, m[1]+" "+name[1])
			}
		}
	}
	return places
}

// references are the packages whose comment is a reference of a language, a format or a web, and so
// may be longer than others.
var references = []string{"script", "txlog", "examples/testweb"}

// mostLines is how long the comment of any other package may be.
const mostLines = 60

// TestPackageComments: each package that is no test's has a comment, which can be read in one go.
func TestPackageComments(t *testing.T) {
	lines := map[string]int{}
	err := filepath.WalkDir("..", func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel("..", filepath.Dir(path))
		lines[filepath.ToSlash(folder)] += strings.Count(file.Doc.Text(), "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, n := range lines {
		if n == 0 || n > mostLines && !slices.Contains(references, folder) {
			t.Errorf("the comment of package %s has %d lines, want 1 to %d", folder, n, mostLines)
		}
	}
	if len(lines) < 50 {
		t.Errorf("only %d packages were found", len(lines))
	}
}

func TestBroken(t *testing.T) {
	got := broken("[a](../go.mod) [b](nowhere/x#y) [c](https://example.org/) `go doc multitext/script` "+
		"go doc ./no/such [d](docs_test.go) `broken`, `sound` [e](docs_test.go)", ".", "..")
	if want := []string{"nowhere/x", "no/such", "docs_test.go sound"}; !slices.Equal(got, want) {
		t.Errorf("broken: %q, want %q", got, want)
	}
}
