package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/txlog/crash"
)

// TestBetterPageLiftsURL takes pages through classify, extract, filter and frontier: of two URLs on
// a page of no relevance the first is fetched first, unless a relevant page, which came later, has
// a link to the second. Without a focus that changes nothing. A worth that is not written, and a
// score of links that is not read, are seen.
func TestBetterPageLiftsURL(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	stagetest.Secret(t)
	bin := t.TempDir()
	crash.BuildFaulty(t, bin, "./stages/classify", "./stages/extract", "./stages/filter", "./stages/frontier")
	for _, defect := range []string{"", "worth-forgotten", "links-ignored"} {
		var env []string
		if defect != "" {
			env = []string{crash.Failpoints(t, defect)}
		}
		if err := lifts(t, bin, env); (err == nil) != (defect == "") {
			t.Errorf("with the defect %q: %v", defect, err)
		}
	}
}

// lifts tells which URL is handed out first where it is the wrong one.
func lifts(t *testing.T, bin string, env []string) error {
	poor := batch(t, answer{"http://a.test/arts", ok, about("arts", 1) + "<a href=/first><a href=/second>"})
	better := batch(t, answer{"http://b.test/rock", ok, about("geology", 2) + "<a href=http://a.test/second>"})
	model := topicModel(t)
	for _, c := range []struct {
		mode, want string
		pages      []string
	}{
		{"soft", "first", []string{poor}}, {"soft", "second", []string{poor, better}},
		{"none", "first", []string{poor, better}},
	} {
		x := chain{t, bin, t.TempDir(), env}
		var waiting []string // what frontier reads
		seen := ""
		for _, pages := range c.pages {
			if x.dir = filepath.Join(x.dir, "next"); os.Mkdir(x.dir, 0o777) != nil {
				t.Fatal("no folder " + x.dir)
			}
			x.run("classify", "pages", "-tree", model, "-good", "nature", "-focus", c.mode, "-mine",
				x.path("mine.warc.gz"), pages)
			x.run("extract", "-score", "-links", x.path("links"), x.path("mine.warc.gz"))
			x.run("filter", "-seen", x.write("seen.list", seen), "-new", x.path("seen"), "-fresh", x.path("fresh"),
				"-known", x.path("known"), x.path("links"))
			seen += strings.Join(x.there("seen"), "\n")
			waiting = append(waiting, x.there("fresh", "known")...)
		}
		x.run("frontier", append([]string{"-waiting", x.write("waiting.list", ""), "-new", x.path("waiting"), "-out",
			x.path("out"), "-wake", x.path("wake"), "-order", "score", "-urls", "1"}, waiting...)...)
		got := stagetest.Lines(t, x.path("out"))
		if len(got) != 1 || !strings.HasPrefix(got[0], "http://a.test/"+c.want+"\t") {
			return fmt.Errorf("%s, %d pages: frontier hands out %q, want %s", c.mode, len(c.pages), got, c.want)
		}
	}
	return nil
}

// A chain runs programs in a folder.
type chain struct {
	*testing.T
	bin, dir string
	env      []string // beside that of the test
}

func (x chain) path(name string) string { return filepath.Join(x.dir, name) }

// there returns the paths of files that exist: a program leaves none if it has nothing to write.
func (x chain) there(names ...string) (paths []string) {
	for _, name := range names {
		if _, err := os.Stat(x.path(name)); err == nil {
			paths = append(paths, x.path(name))
		}
	}
	return paths
}

func (x chain) write(name, text string) string {
	x.Helper()
	if err := os.WriteFile(x.path(name), []byte(text), 0o666); err != nil {
		x.Fatal(err)
	}
	return x.path(name)
}

// run runs a program.
func (x chain) run(program string, args ...string) {
	x.Helper()
	cmd := exec.CommandContext(x.Context(), filepath.Join(x.bin, program), args...)
	cmd.Env = append(os.Environ(), x.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		x.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}
