package examples

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a new user gets wrong in the command of a stage, or in a file that it names, is said by check, and by
// run before anything starts: at its place, in the words of the program.
func TestWrongArgumentsAreSaidBeforeTheCrawl(t *testing.T) {
	bin := programs(t)
	tour := newBench(t, bin, "tour", "crawl.toml")
	c4 := newBench(t, bin, "c4", "c4.toml", "seeds/{node}.txt", "seeds.txt")
	c4.write("seeds.txt", "")
	c4.output(filepath.Join(bin, "testweb"), "-topical", c4.path("web.toml"), "-seed", "101", "-train", c4.path("training"), "5")
	c4.output(filepath.Join(bin, "classify"), "train", "-model", c4.path("topics.model"), c4.path("training"))
	for _, c := range []struct {
		*bench
		file, old, new, want string
	}{
		{tour, "crawl.toml", "", "", ""},
		{tour, "crawl.toml", " -delay ", " -deley ", `stage "fetch": fetch: flag provided but not defined: -deley; did you mean "delay"?`},
		{tour, "crawl.toml", "resolve -agent", "resolve -ttl 1d -agent", `invalid value "1d" for flag -ttl`},
		{tour, "crawl.toml", "-pages {pages}", "-pages {pages} -connections 0", "must be at least 1"},
		{tour, "crawl.toml", `"filter -verify`, `"filter -verfy`, `did you mean "verify"?`},
		{tour, "scope.txt", "reject all", "reject al", `did you mean "all"?`},
		{c4, "c4.toml", "", "", ""},
		{c4, "c4.toml", `links_by   = "none"`, `links_by   = "hots"`, `"hots"`},
		{c4, "c4.toml", `pages_by   = "topic"`, `pages_by   = "tpoic"`, `-by "tpoic" is none of topic, language, content, none`},
		{c4, "nodes.toml", `labels = ["foreign"]`, `labels = ["foreign", "artz"]`, `the node "world" owns the label "artz", which is no topic`},
	} {
		right := c.read(c.file)
		if !strings.Contains(right, c.old) {
			t.Fatalf("%s does not hold %q", c.file, c.old)
		}
		c.write(c.file, strings.ReplaceAll(right, c.old, c.new))
		for _, verb := range []string{"check", "run"} {
			if verb == "run" && c.want == "" {
				break
			}
			args := []string{"-var", "node=arts"}
			if c.bench == tour {
				args = nil
			}
			cmd, said := c.manager(verb, args...)
			cmd.Run()
			if failed := cmd.ProcessState.ExitCode() == 2; failed != (c.want != "") || !strings.Contains(said.String(), c.want) {
				t.Errorf("%s with %q: %v, want %q; it said\n%s", verb, c.new, cmd.ProcessState, c.want, said)
			}
		}
		if _, err := os.Stat(c.path("crawl")); err == nil {
			t.Errorf("%q: the crawl was begun", c.new)
		}
		c.write(c.file, right)
	}
}
