package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/manager/internal/crawl"
	"multitext/txlog"
)

// A ground is a crawl that is made into a state by hand. Its one stage copies
// each batch of queue a to queue b and to x, which is for other machines, and
// adds a segment to its state.
type ground struct{ *crawlFolder }

const groundFlow = `
seeds = { a = "s1" }
[queue.a]
ext = "txt"
[queue.b]
ext = "txt"
[queue.x]
ext    = "txt"
export = true
[stage.work]
in    = "a"
out   = ["b", "x"]
state = "met"
shell = """cat {in} > {b}; cat {in} > {x}; : {met}; cp segment {met.new}
           far=$(dirname {x})/far; mkdir $far; cat {in} > $far/hash-$(printf %012d {tx})-00007.warc.gz"""
`

func newGround(t *testing.T) *ground {
	t.Helper()
	return &ground{newCrawl(t, groundFlow, "s1", "one\n", "segment", "segment")}
}

// What the run of the ground leaves: transaction 1 brings the seed in, 2 is the
// stage's.
const (
	groundInput   = "a/m-000000000001-00001"
	groundBatch   = "b/m-000000000002-00001.txt"
	groundExport  = "x/m-000000000002-00001.txt"
	groundFar     = "x/far/hash-000000000002-00007.warc.gz"
	groundSegment = "state/met/m-000000000002-00001.seg"
	secondInput   = "a/m-000000000003-00001.txt"
	groundSecret  = "fedcba9876543210fedcba9876543210\n"
	requestID     = "0123456789abcdef0123456789abcdef"
)

// done runs the crawl to its end.
func (g *ground) done() *ground {
	g.t.Helper()
	g.run(crawl.ExitDone)
	return g
}

// put makes a file of the crawl and the directories above it.
func (g *ground) put(name, text string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(g.path("crawl/"+name)), 0o777); err != nil {
		g.t.Fatal(err)
	}
	g.write("crawl/"+name, text)
}

// back moves files from their place into the work directory of transaction 2.
func (g *ground) back(names ...string) {
	g.t.Helper()
	for _, name := range names {
		g.put("work/000000000002/"+name, "")
		g.rename(name, "work/000000000002/"+name)
	}
}

func (g *ground) rename(from, to string) {
	g.t.Helper()
	if err := os.Rename(g.path("crawl/"+from), g.path("crawl/"+to)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *ground) remove(name string) {
	g.t.Helper()
	if err := os.Remove(g.path("crawl/" + name)); err != nil {
		g.t.Fatal(err)
	}
}

// rewrite changes the log's text.
func (g *ground) rewrite(change func(string) string) {
	g.t.Helper()
	g.put("log", change(g.read("log")))
}

func (g *ground) read(name string) string {
	g.t.Helper()
	text, err := os.ReadFile(g.path("crawl/" + name))
	if err != nil {
		g.t.Fatal(err)
	}
	return string(text)
}

// append begins a new generation of the log and appends records to it.
func (g *ground) append(records ...txlog.Record) {
	g.t.Helper()
	log, err := txlog.Begin(txlog.OS{}, g.path("crawl"), g.state(), nil)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, r := range records {
		if err := log.Append(r); err != nil {
			g.t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		g.t.Fatal(err)
	}
}

// second commits a second batch to queue a and puts it in its place.
func (g *ground) second() {
	g.t.Helper()
	g.put(secondInput, "two\n")
	g.append(&txlog.Commit{Tx: 3, Read: -1, Outputs: []txlog.Output{outputOf(secondInput, "two\n")}})
}

func outputOf(name, text string) txlog.Output {
	return txlog.Output{Name: txlog.Name(name), Size: int64(len(text)),
		Hash: fmt.Sprintf("%016x", xxhash.Sum64String(text)), Records: -1}
}

// runFile makes work/T/run of a run that was given the second batch.
func (g *ground) runFile(tx uint64) {
	g.put(fmt.Sprintf("work/%012d/run", tx),
		`{"stage":"work","start":"2026-11-21T12:00:00Z","inputs":["`+secondInput+`"],"command":["bash"]}`)
}

// leftovers reports what is in the directory and should not be.
func (g *ground) leftovers(state string) {
	g.t.Helper()
	var left []string
	for _, pattern := range []string{".*", "history/.*", "inbox/*", "inbox/.*", "work/0*", groundInput} {
		found, err := filepath.Glob(g.path("crawl/" + pattern))
		if err != nil {
			g.t.Fatal(err)
		}
		left = append(left, found...)
	}
	if len(left) > 0 {
		g.t.Errorf("it left %v", left)
	}
	if _, err := os.Stat(g.path("crawl/work/mine")); (err == nil) != (state == "foreign") {
		g.t.Errorf("work/mine: %v", err)
	}
	if _, err := os.Stat(g.path("crawl/" + secondInput)); (err == nil) != (state == "set-aside") {
		g.t.Errorf("the second input: %v", err)
	}
	if _, err := os.Stat(g.path("crawl/" + groundSegment)); (err == nil) != (state != "replaced") {
		g.t.Errorf("the first segment: %v", err)
	}
	if _, err := os.Stat(g.path("crawl/" + groundExport)); (err == nil) != (state != "fetched") {
		g.t.Errorf("the exported batch: %v", err)
	}
	if _, err := os.Stat(g.path("crawl/" + groundFar)); (err == nil) != (state != "far-fetched") {
		g.t.Errorf("the batch in a folder: %v", err)
	}
}

// everything is the crawl's directory as text, but for the lock.
func (g *ground) everything() string {
	g.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(g.path("crawl"), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "%s %s", path, e.Type())
		if e.Type().IsRegular() {
			text, err := os.ReadFile(path)
			fmt.Fprintf(&all, " %q %v", text, err)
		}
		all.WriteByte('\n')
		return nil
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return all.String()
}
