package examples

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a new user gets wrong in the command of a stage, or in a file that it names, is said by
// check, and by run before anything starts: at its place, in the words of the program.
func TestWrongArgumentsAreSaidBeforeTheCrawl(t *testing.T) {
	bin := programs(t)
	tour := newBench(t, bin, "tour", "crawl.toml")
	site := newBench(t, bin, "site", "site.toml")
	c4 := newBench(t, bin, "c4", "c4.toml", "seeds/{node}.txt", "seeds.txt")
	c4.write("seeds.txt", "")
	c4.output(filepath.Join(bin, "testweb"), "-topical", c4.path("web.toml"), "-seed", "101", "-train",
		c4.path("training"), "5")
	c4.output(filepath.Join(bin, "classify"), "train", "-model", c4.path("topics.model"), c4.path("training"))
	for _, c := range []struct {
		*bench
		file, old, new, want string
	}{
		{tour, "crawl.toml", "", "", ""},
		{tour, "crawl.toml", " -delay ", " -deley ",
			`stage "fetch": fetch: flag provided but not defined: -deley; did you mean "delay"?`},
		{tour, "crawl.toml", "resolve -agent", "resolve -ttl 1d -agent", `invalid value "1d" for flag -ttl`},
		{tour, "crawl.toml", "-pages {pages}", "-pages {pages} -connections 0", "must be at least 1"},
		{tour, "crawl.toml", `"filter -verify`, `"filter -verfy`, `did you mean "verify"?`},
		{tour, "scope.txt", "reject all", "reject al", `did you mean "all"?`},
		{site, "site.toml", "-order breadth", "-order learned,score", ""},
		{site, "site.toml", "-order breadth", "-order breadth,backlink",
			`stage "frontier": -order breadth,backlink goes by the links to URLs that are known already, which do not`},
		{site, "site.toml", "-order breadth", "-order pagerank", "add the stage rank"},
		{c4, "c4.toml", "", "", ""},
		{c4, "c4.toml", `links_by   = "none"`, `links_by   = "hots"`, `"hots"`},
		{c4, "c4.toml", `pages_by   = "topic"`, `pages_by   = "tpoic"`,
			`-by "tpoic": want topic, language, content, none or text`},
		{c4, "nodes.toml", `labels = ["foreign"]`, `labels = ["foreign", "artz"]`,
			`the node "world" owns the label "artz", which is neither a topic nor`},
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
			if c.bench != c4 {
				args = nil
			}
			cmd, said := c.manager(verb, args...)
			cmd.Run()
			if failed := cmd.ProcessState.ExitCode() == 2; failed != (c.want != "") ||
				!strings.Contains(said.String(), c.want) {
				t.Errorf("%s with %q: %v, want %q; it said\n%s", verb, c.new, cmd.ProcessState, c.want, said)
			}
		}
		if _, err := os.Stat(c.path("crawl")); err == nil {
			t.Errorf("%q: the crawl was begun", c.new)
		}
		c.write(c.file, right)
	}
}

// A crawl that fetched nothing, for its seeds could not be, says so in its last lines: why, by
// example, and what to do.
func TestNothingFetchedSaysWhy(t *testing.T) {
	b := newBench(t, programs(t), "site", "site.toml")
	b.write("scope.txt", "keep all\n")
	b.write("seeds.txt", "mini.test\nhttp://127.0.0.1:8777/\nhttp://127.0.0.1:8777/a?"+strings.Repeat("x", 300)+"\n")
	said := b.run(0)
	_, last, found := strings.Cut(said, "Nothing ever came to fetch, xdup, extract")
	if !found {
		t.Fatalf("it does not say where nothing came; it said\n%s", said)
	}
	for _, want := range []string{
		"  1 bad-url, by restrict, as mini.test\n    what to do: write http:// or https:// in front of it\n",
		"  2 private-address, by resolve, as http://127.0.0.1:8777/\n    what to do: -allow-private CIDR, given to resolve and fetch,",
	} {
		if !strings.Contains(last, want) {
			t.Errorf("no %q in its last lines:\n%s", want, last)
		}
	}
	cmd, status := b.manager("status", "-json")
	if cmd.Run(); !strings.Contains(status.String(), `"reason": "private-address"`) {
		t.Errorf("status -json says\n%s", status)
	}
}
