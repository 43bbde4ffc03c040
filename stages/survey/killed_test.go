package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/txlog/crash"
)

// script is a crawl of survey alone.
const script = `
flow  = 1
dir   = "crawl"
seeds = { given = [SEEDS] }
[queue.page]
ext = "html"
[stage.survey]
in    = "given"
out   = ["page", "tables"]
state = "sums"
retry = 1000
env   = ["MULTITEXT_STEPS", "MULTITEXT_KILL_MARK", "MULTITEXT_FAILPOINTS"]
wait  = "10ms"
run   = "survey -state {sums} -new {sums.new} -html {page} -tsv {tables} -report {report} {in}"
verify = "survey -verify {in}"
`

// A killing is a crawl under the manager that is killed.
type killing struct {
	crash.Crawl
	dir  string
	want []byte // the tables of all inputs in one run
}

func newKilling(t *testing.T, bin string) *killing {
	dir := t.TempDir()
	k := &killing{Crawl: crash.Crawl{TB: t, Bin: bin, Script: filepath.Join(dir, "script.toml")}, dir: dir}
	var seeds, inputs []string
	for b := range 6 {
		host := fmt.Sprintf("h%d.test", b%3)
		var lines []string
		for i := range 40 {
			lines = append(lines, fmt.Sprintf("http://%s/%d", host, 100*b+i))
		}
		inputs = append(inputs, stagetest.Write(t, "fresh.zst", lines...), pages(t, host, 100*b, 30, 200, time.Second))
	}
	for _, path := range inputs {
		seeds = append(seeds, strconv.Quote(path))
	}
	c := &crawl{dir: t.TempDir()}
	c.run(t, inputs...)
	k.want = c.whole(t).tables()
	if err := os.WriteFile(k.Script, []byte(strings.Replace(script, "SEEDS", strings.Join(seeds, ", "), 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	return k
}

// agrees holds the state to all inputs.
func (k *killing) agrees() error {
	k.Helper()
	at := func(pattern string) []string {
		files, _ := filepath.Glob(filepath.Join(k.dir, "crawl", pattern))
		return files
	}
	segments := at("state/sums/*")
	if len(segments) != 1 {
		return fmt.Errorf("the state has the segments %q", segments)
	}
	w, err := (&options{top: 100}).join(io.Discard, segments[0], nil)
	if err != nil {
		return err
	}
	if got := w.tables(); !bytes.Equal(got, k.want) {
		return fmt.Errorf("the tables are\n%s\nwant\n%s", got, k.want)
	}
	if n := len(at("page/*")); n < 3 || n != len(at("tables/*")) {
		return fmt.Errorf("%d pages and %d tables", n, len(at("tables/*")))
	}
	return nil
}

// TestKilled kills a crawl, its manager or its stage: in the end each record is counted once.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	bin := t.TempDir()
	crash.BuildFaulty(t, bin, "./manager", "./stages/survey")
	const least = 12
	kills, chains := 0, 0
	for ; kills < least && chains < 2*least; chains++ {
		k, rnd := newKilling(t, bin), rand.New(rand.NewPCG(uint64(chains), 5))
		kills += k.Chain(chains, rnd, func() {})
		if err := k.agrees(); err != nil {
			t.Fatalf("chain %d, %d kills: %v", chains, kills, err)
		}
	}
	if kills < least {
		t.Fatalf("only %d kills in %d chains", kills, chains)
	}
	t.Logf("%d kills in %d chains", kills, chains)
	k := newKilling(t, bin)
	k.Run(crash.Failpoints(t, "survey-forgotten"))
	if err := k.agrees(); err == nil {
		t.Error("a state that is forgotten was not seen")
	}
}
