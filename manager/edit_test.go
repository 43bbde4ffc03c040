package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"multitext/manager/internal/crawl"
)

// Scripts that are edited between runs; nothing else is told to the manager.

const twoStages = `
seeds = { a = ["s1", "s2"] }
[queue.a]
ext = "txt"
[queue.b]
ext  = "txt"
keep = true
[queue.c]
ext = "txt"
[stage.first]
in  = "a"
out = "b"
run = "cp {in} {b}"
[stage.second]
in  = "b"
out = "c"
run = "cp {in} {c}"
`

func (c *crawlFolder) edit(flow string) { c.write("crawl.toml", "flow = 1\ndir = \"crawl\"\n"+flow) }

// A stage in awk and one in Python are put between two others by editing the
// script alone.
func TestStageInAnotherLanguage(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	c := newCrawl(t, `
seeds = { a = ["s1", "s2"] }
[queue.a]
ext = "txt"
[queue.b]
ext = "txt"
[queue.c]
ext = "txt"
[stage.double]
in    = "a"
out   = "b"
shell = "awk '{{ print 2 * $1 }}' {in} > {b}"
[stage.add]
in   = "b"
out  = "c"
read = { program = "./add.py" }
retry = 0
run  = "python3 {program} {in} {c} {report}"
`, "s1", "1\n2\n", "s2", "10\n", "add.py", "raise SystemExit('not yet written')\n")
	c.wants(c.run(crawl.ExitFailed), "| not yet written")
	c.write("add.py", `import sys
source, target, report = sys.argv[1:]
lines = [int(line) + 1 for line in open(source)]
with open(target, "w") as f:
    for n in lines:
        print(n, file=f)
with open(report, "w") as f:
    print("count lines", len(lines), file=f)
`)
	c.verb("retry", crawl.ExitDone)
	c.run(crawl.ExitDone)
	c.holds("c", "3\n5\n21\n")
}

// A second reader, added after the crawl has ended, is owed every batch that was
// kept, and the first is owed nothing again.
func TestSecondReaderGetsEveryKeptBatch(t *testing.T) {
	c := newCrawl(t, twoStages, "s1", "one\n", "s2", "two\n")
	c.run(crawl.ExitDone)
	c.edit(twoStages + "[stage.third]\nin = \"b\"\nout = \"d\"\nrun = \"cp {in} {d}\"\n[queue.d]\next = \"txt\"\n")
	c.run(crawl.ExitDone)
	c.holds("d", "one\ntwo\n")
	c.holds("c", "one\ntwo\n")
}

// A start is refused if a stage that still owes was taken out of the script. It says what to do and
// changes nothing. Put back, the stage goes on.
func TestStageThatOwesIsTakenOut(t *testing.T) {
	c := newCrawl(t, twoStages+"[stop]\nbytes = { b = \"1B\" }\n", "s1", "1\n", "s2", "2\n")
	c.run(crawl.ExitLimit)
	without, _, _ := strings.Cut(twoStages, "[stage.second]")
	without = strings.Replace(without, "[queue.c]\next = \"txt\"\n", "", 1)
	c.edit(without)
	said := c.run(crawl.ExitBad)
	c.wants(said, "stage second is not in the script as a reader any more and has not read 1 batch of b")
	c.wants(said, "manager forget "+c.path("crawl.toml")+" second")
	c.holds("b", "1\n")
	c.edit(twoStages)
	c.run(crawl.ExitDone)
	c.holds("c", "1\n2\n")
}

// If a queue that holds batches is exported, they are given away in one transaction, and no start
// misses what another machine has taken. If export is taken out again, what is there stays given
// away, and new batches are the crawl's.
func TestExportIsPutInAndTakenOut(t *testing.T) {
	c := newCrawl(t, twoStages, "s1", "1\n", "s2", "2\n", "s3", "3\n")
	c.run(crawl.ExitDone)
	exports := strings.Replace(twoStages, "[queue.c]\n", "[queue.c]\nexport = true\n", 1)
	c.edit(exports)
	cmd, said := c.command("run", "-n")
	if err := cmd.Run(); err != nil {
		t.Fatalf("run -n: %v\n%s", err, said)
	}
	given := "queue c is exported now; its content, 2 batches, is for other machines from now on"
	c.wants(said.String(), given)
	c.wants(c.run(crawl.ExitDone), given)
	c.holds("c", "1\n2\n")
	files, err := filepath.Glob(c.path("crawl/c/*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	if err := os.Remove(files[0]); err != nil { // as another machine does that has fetched it
		t.Fatal(err)
	}
	if strings.Contains(c.run(crawl.ExitDone), "exported now") {
		t.Error("it was given away twice")
	}
	c.edit(strings.Replace(twoStages, `["s1", "s2"]`, `["s1", "s2", "s3"]`, 1))
	c.run(crawl.ExitDone)
	c.holds("c", "2\n3\n")
	for name := range c.state().Batches() {
		if string(name) == "c/"+filepath.Base(files[1]) {
			t.Errorf("%s is live again", name)
		}
	}
}

// Other edits change nothing that is there: a queue that is no longer kept keeps what was read, for
// manager drop, and one of another ext keeps the names of its batches. A state of another name is
// refused.
func TestEditsLeaveFilesWhatTheyAre(t *testing.T) {
	c := newCrawl(t, twoStages, "s1", "1\n", "s2", "2\n", "s3", "3\n")
	c.run(crawl.ExitDone)
	edited := strings.NewReplacer("keep = true\n", "", `["s1", "s2"]`, `["s1", "s2", "s3"]`, "[queue.c]\next = \"txt\"",
		"[queue.c]\next = \"text\"").Replace(twoStages)
	c.edit(edited)
	c.run(crawl.ExitDone)
	if b, got := c.content("b"), c.content("c"); b != "1\n2\n" || got != "1\n2\n3\n" {
		t.Errorf("queue b holds %q, queue c %q", b, got)
	}
	if files, err := filepath.Glob(c.path("crawl/c/*.text")); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	state := func(name string) string {
		return strings.Replace(edited, "run = \"cp {in} {c}\"",
			"state = \""+name+"\"\nshell = \"cp {in} {c}; : {"+name+"}; cp {in} {"+name+".new}\"", 1)
	}
	c.write("s4", "4\n")
	c.edit(strings.Replace(state("met"), `"s3"]`, `"s3", "s4"]`, 1))
	c.run(crawl.ExitDone)
	c.edit(state("seen"))
	c.wants(c.run(crawl.ExitBad), "state met is not in the script any more and holds 1 segment")
}
