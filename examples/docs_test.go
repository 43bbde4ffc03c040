package examples

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linked   = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	goDocked = regexp.MustCompile(`go doc (?:multitext|\.)/([a-z0-9/]+)`)
)

// TestDocsLeadSomewhere: what a README links to, and the packages whose documentation it names,
// exist.
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
	return places
}

func TestBroken(t *testing.T) {
	got := broken("[a](../go.mod) [b](nowhere/x#y) [c](https://example.org/) `go doc multitext/script` go doc ./no/such", ".", "..")
	if len(got) != 2 || got[0] != "nowhere/x" || got[1] != "no/such" {
		t.Errorf("broken: %q", got)
	}
}
