package script

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// loadCrawl loads a crawl of ten stages.
func loadCrawl(t *testing.T) *Script {
	t.Helper()
	s, err := Load("testdata/good/crawl.toml", programs)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The crawl is compared in whole with a golden file: what a key means must not
// change unseen.
func TestCrawl(t *testing.T) {
	s := loadCrawl(t)
	got := strings.ReplaceAll(dump(s), s.Folder, "$DIR")
	const golden = "testdata/good/crawl.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// dump prints a script in whole.
func dump(s *Script) string {
	var b strings.Builder
	fmt.Fprintf(&b, "dir %s\nseeds %v\nvars %q\nlimit %+v\nstop %+v\n", s.Dir, s.Seeds, s.Vars, s.Limit, s.Stop)
	names := func(stages []*Stage) (names []string) {
		for _, one := range stages {
			names = append(names, one.Name)
		}
		return names
	}
	for _, q := range s.Queues {
		fmt.Fprintf(&b, "queue %s ext=%s keep=%v export=%v full=%v %v -> %v\n",
			q.Name, q.Ext, q.Keep, q.Export, q.Full, names(q.Writers), names(q.Readers))
	}
	for _, t := range s.Stages {
		fmt.Fprintf(&b, "stage %s %v -> %v state=%q read=%v take=%d min=%v "+
			"jobs=%d every=%v timeout=%v retry=%d wait=%v\n\t%s\n\t%q\n",
			t.Name, t.In, t.Out, t.State, t.Read, t.Take, t.Min, t.Jobs, t.Every, t.Timeout, t.Retry, t.Wait,
			t.Program, t.Argv(mark))
	}
	for _, v := range s.Services {
		fmt.Fprintf(&b, "service %s ready=%q %q\n", v.Name, v.Ready, v.Argv(mark))
	}
	return b.String()
}

// mark gives two values for {in}, one for any other placeholder.
func mark(name string) []string {
	if name == "in" {
		return []string{"/in 1", "/in 2"}
	}
	return []string{"<" + name + ">"}
}

// Each key that the parser knows stands in the reference, at the start of a line.
func TestDocNamesEveryKey(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	p := &parser{script: &Script{}}
	check := func(title string, fields []field) {
		_, section, ok := strings.Cut(string(doc), "# "+title)
		if !ok {
			t.Fatalf("no section %q in doc.go", title)
		}
		section, _, _ = strings.Cut(section, "\n// # ")
		for _, f := range fields {
			if !strings.Contains(section, "\n//\t"+f.name+" ") {
				t.Errorf("%s: key %q is not in doc.go", title, f.name)
			}
		}
	}
	for title, fields := range p.allFields() {
		check(title, fields)
	}
	check("The top of the script", p.topFields()[:4]) // the others are tables
}

// Settings that are not written have their defaults. A byte order mark is skipped.
func TestDefaults(t *testing.T) {
	s := parse(t, "\ufeffflow=1\ndir='d'\n[stage.a]\nevery='1h'\nrun='a'\n")
	a := s.Stage("a")
	if a.Take != 1 || a.Jobs != 1 || a.Retry != 3 || a.Wait != 10*time.Second || a.Timeout != 0 || !a.Min.Zero() ||
		s.Limit.Jobs < 1 {
		t.Errorf("defaults: %+v, limit %+v", a, s.Limit)
	}
	if s.Stage("b") != nil || s.Queue("b") != nil {
		t.Error("found what is not there")
	}
}

// A bare name in read is a state when there is one; a path forces a file. A
// script without a Finder is not compared with the disk.
func TestReadFileOrState(t *testing.T) {
	const text = `flow = 1
dir = "d"
seeds = { q = "none" }
[stage.a]
in = "q"
state = "seen"
run = "a"
[stage.b]
in = "q"
read = { seen = "seen", file = "./seen", other = "rules" }
run = "b {seen} {file} {other}"
`
	s := parse(t, text)
	want := []Read{{Name: "seen", State: "seen"}, {Name: "file", File: "/scripts/seen"},
		{Name: "other", File: "/scripts/rules"}}
	if got := s.Stage("b").Read; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("read = %v; want %v", got, want)
	}
}

// A verifier has its command line, in which {in} becomes as many words as there
// are files.
func TestVerifiers(t *testing.T) {
	s := parse(t, `
flow = 1
dir  = "crawl"
seeds = { a = "seeds.txt" }
[vars]
level = "9"
[queue.a]
verify = "restrict -{level} {in}"
[stage.one]
in     = "a"
state  = "s"
run    = "filter {in}"
verify = ["filter", "-verify", "{in}"]
`)
	for _, tc := range []struct {
		verify *Command
		want   string
	}{
		{s.Queue("a").Verify, `["restrict" "-<level>" "/in 1" "/in 2"]`},
		{s.Stage("one").Verify, `["filter" "-verify" "/in 1" "/in 2"]`},
	} {
		if got := fmt.Sprintf("%q", tc.verify.Argv(mark)); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

// An extension is one that the names of batches can have; package txlog reads them.
func TestExtensions(t *testing.T) {
	for ext, want := range map[string]bool{
		"zst": true, "warc.gz": true, "a2345678.0123456": true, "a2345678.01234567": false,
		"warc_gz": false, "ZST": false, ".zst": false, "zst.": false, "a..b": false, "a/b": false,
	} {
		text := "flow = 1\ndir = 'd'\n[queue.a]\next = '" + ext +
			"'\n[stage.one]\nevery = '1h'\nout = 'a'\nrun = 'one {a}'\n"
		if _, err := Parse("x.toml", []byte(text), nil); (err == nil) != want {
			t.Errorf("%s: %v", ext, err)
		}
	}
}
