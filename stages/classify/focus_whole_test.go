package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/txlog/crash"
)

// TestBetterPageLiftsURL takes pages through classify, extract, filter and frontier: of two URLs on
// a page of no relevance the first is fetched first, unless a relevant page, which came later, has a
// link to the second. Without a focus that changes nothing.
func TestBetterPageLiftsURL(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	stagetest.Secret(t)
	bin := t.TempDir()
	crash.Build(t, bin, "./stages/extract", "./stages/filter", "./stages/frontier")
	model := topicModel(t)
	poor := batch(t, answer{"http://a.test/arts", ok, about("arts", 1) + "<a href=/first><a href=/second>"})
	better := batch(t, answer{"http://b.test/rock", ok, about("geology", 2) + "<a href=http://a.test/second>"})
	for _, c := range []struct {
		mode, want string
		pages      []string
	}{
		{"soft", "first", []string{poor}}, {"soft", "second", []string{poor, better}},
		{"hard", "second", []string{poor, better}}, {"none", "first", []string{poor, better}},
	} {
		x := chain{t, bin, t.TempDir()}
		var waiting []string // what frontier reads
		seen := ""
		for i, pages := range c.pages {
			x.dir = filepath.Join(x.dir, string(rune('a'+i)))
			if err := os.Mkdir(x.dir, 0o777); err != nil {
				t.Fatal(err)
			}
			must(t, pagesVerb(), "", "-tree", model, "-good", "nature", "-focus", c.mode, "-mine", x.path("mine.warc.gz"),
				"-elsewhere", x.path("aside.warc.gz"), pages)
			x.run("extract", "-score", "-links", x.path("links"), "mine.warc.gz")
			x.run("filter", "-seen", x.write("seen.list", seen), "-new", x.path("seen"), "-fresh", x.path("fresh"),
				"-known", x.path("known"), "links")
			if _, err := os.Stat(x.path("seen")); err == nil {
				seen += x.path("seen") + "\n"
			}
			waiting = append(waiting, x.path("fresh"), x.path("known"))
		}
		args := []string{"-waiting", x.write("waiting.list", ""), "-new", x.path("waiting"), "-out", x.path("out"), "-wake",
			x.path("wake"), "-order", "score", "-urls", "1"}
		x.run("frontier", append(args, waiting...)...)
		got := stagetest.Lines(t, x.path("out"))
		if len(got) != 1 || !strings.HasPrefix(got[0], "http://a.test/"+c.want+"\t") {
			t.Errorf("%s, %d pages: frontier hands out %q, want %s", c.mode, len(c.pages), got, c.want)
		}
	}
}

// A chain runs programs in a folder.
type chain struct {
	*testing.T
	bin, dir string
}

func (x chain) path(name string) string { return filepath.Join(x.dir, name) }

func (x chain) write(name, text string) string {
	x.Helper()
	if err := os.WriteFile(x.path(name), []byte(text), 0o666); err != nil {
		x.Fatal(err)
	}
	return x.path(name)
}

// run runs a program. Inputs that do not exist, because a program had nothing to write, are left out.
func (x chain) run(program string, args ...string) {
	x.Helper()
	var there []string
	for i, arg := range args {
		file := arg
		if !filepath.IsAbs(file) {
			file = x.path(file)
		}
		_, err := os.Stat(file)
		switch input := i > 0 && !strings.HasPrefix(args[i-1], "-") && !strings.HasPrefix(arg, "-"); {
		case input && err == nil:
			there = append(there, file)
		case !input:
			there = append(there, arg)
		}
	}
	cmd := exec.CommandContext(x.Context(), filepath.Join(x.bin, program), there...)
	if out, err := cmd.CombinedOutput(); err != nil {
		x.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}
