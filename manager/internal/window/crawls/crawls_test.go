package crawls

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/script"
)

const flow = `
flow  = 1
dir   = "{node}/crawl"
seeds = { a = "nowhere" }
[vars]
node = "x"
[stage.one]
in  = "a"
run = "no-such-program {in}"
`

// write writes a script, and returns its path.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func names(all []*Crawl) (names []string) {
	for _, c := range all {
		names = append(names, c.Name)
	}
	return names
}

// TestOpen: a var that is given several times makes a crawl of each value; names are different, and
// fit for addresses.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	c4 := write(t, filepath.Join(dir, "c4.toml"), flow)
	tour := write(t, filepath.Join(dir, "tour", "crawl.toml"), flow)
	odd := write(t, filepath.Join(dir, `"><script>`, "crawl.toml"), flow)
	node := func(values ...string) (vars []script.Var) {
		for _, value := range values {
			vars = append(vars, script.Var{Name: "node", Value: value})
		}
		return vars
	}
	for _, c := range []struct {
		args []string
		vars []script.Var
		want []string
	}{
		{[]string{c4}, nil, []string{"c4"}},
		{[]string{c4}, node("arts"), []string{"c4"}},
		{[]string{c4}, node("arts", "law"), []string{"c4-arts", "c4-law"}},
		{[]string{c4, c4, tour}, nil, []string{"c4", "c4-2", "tour"}},
		{[]string{odd}, nil, []string{"script"}},
	} {
		all, err := Open(c.args, c.vars)
		if err != nil || !slices.Equal(names(all), c.want) {
			t.Errorf("%q with %v are %q, %v; want %q", c.args, c.vars, names(all), err, c.want)
		}
	}
	two, err := Open([]string{c4}, node("arts", "law"))
	if err != nil || two[0].Script().Dir == two[1].Script().Dir {
		t.Errorf("two values share a directory: %v", err)
	}
}

// TestOpenDirectory: the directory of a crawl contains its script, also where it was copied to. A
// directory without one is refused.
func TestOpenDirectory(t *testing.T) {
	dir := t.TempDir()
	_, err := Open([]string{dir}, nil)
	if err == nil || !strings.Contains(err.Error(), "no directory of a crawl") {
		t.Errorf("a directory without a script: %v", err)
	}
	write(t, filepath.Join(dir, "copied", "history", "script.toml"), flow)
	all, err := Open([]string{filepath.Join(dir, "copied")}, nil)
	if err != nil || all[0].Name != "copied" || all[0].Script().Dir != filepath.Join(dir, "copied") {
		t.Errorf("a copied crawl: %v, %v", all, err)
	}
	if _, err = Open([]string{filepath.Join(dir, "none")}, nil); err == nil {
		t.Error("what does not exist is opened")
	}
}
