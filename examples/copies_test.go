package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// copiedSites are sites on which one body lies at many places, with links that lead elsewhere from
// each.
var copiedSites = map[string]string{
	"one.test/index.html":      stub,
	"one.test/home.html":       `<a href=/only-one.html>x</a>`,
	"one.test/only-one.html":   `<a href=//two.test/>y</a>`,
	"two.test/index.html":      stub, // as one.test's, and yet the only way into two.test
	"two.test/home.html":       `<a href=/a/>x</a><a href=/b/>y</a><a href=/a/index.html>z</a>`,
	"two.test/a/index.html":    contents, // at two URLs, of which the second has no other link but for the query
	"two.test/b/index.html":    contents,
	"two.test/b/deep.html":     `<a href=/only-b.html>b</a>`,
	"two.test/only-b.html":     `<svg><title/><style/></svg><a href=/behind-svg.html>b</a>`,
	"two.test/a/sub/page.html": "sub",
}

const (
	stub     = `<meta http-equiv=refresh content="0; url=home.html">`
	contents = `<a href=deep.html>x</a><a href=sub/page.html>y</a><a href="?more">z</a><a href=http://one.test/>one</a>`
)

// TestCopies holds a crawl of sites with duplicates against what reach.py counts from their files,
// where the links of every page are taken, whatever other page has its body. The archive has each
// body once all the same.
func TestCopies(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3, which counts what is reachable, is not installed")
	}
	dir := t.TempDir()
	for name, text := range copiedSites {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b := newBench(t, programs(t), "testdata/sites", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`)
	b.write("seeds.txt", "http://one.test/\nhttp://two.test/\n")
	b.write("scope.txt", "keep domain test and scheme http\nreject all as elsewhere\n")
	b.serve("-root", dir)
	b.run(0)
	reached := map[string]string{}
	for line := range strings.Lines(b.output(python, "testweb/testdata/reach.py", dir, "--agent", "sitesbot")) {
		url, outcome, _ := strings.Cut(strings.TrimSpace(line), "\t")
		reached[url] = outcome
	}
	if len(reached) < len(copiedSites) {
		t.Errorf("reach.py counts %d URLs: %v", len(reached), reached)
	}
	b.holdAgainst(reached)
	a := readArchive(t, b.path("crawl/archive"))
	if a.revisit < 3 {
		t.Errorf("%d duplicates lie in the archive as revisit records, want 3 or more", a.revisit)
	}
}
