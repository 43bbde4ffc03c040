package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/txlog/crash"
)

// script is a crawl of harvest alone.
const script = `
flow  = 1
dir   = "crawl"
seeds = { worths = [SEEDS] }
[queue.stagnant]
ext = "tsv"
[stage.harvest]
in    = "worths"
out   = ["table", "picture", "stagnant"]
state = "curve"
retry = 1000
env   = ["MULTITEXT_STEPS", "MULTITEXT_KILL_MARK", "MULTITEXT_FAILPOINTS"]
wait  = "10ms"
run   = """
  harvest -curve {curve} -new {curve.new} -tsv {table} -svg {picture} -least 0.2 -after 100
    -stagnant {stagnant} -report {report} {in}"""
verify = "harvest -verify {in}"
`

// A killing is a crawl under the manager that is killed.
type killing struct {
	crash.Crawl
	dir   string
	curve *curve // of all pages in order
}

// newKilling makes one of ten batches. Those from the fifth on are worth little, so the crawl stagnates from
// the eighth on.
func newKilling(t *testing.T, bin string) *killing {
	dir := t.TempDir()
	k := &killing{crash.Crawl{TB: t, Bin: bin, Script: filepath.Join(dir, "script.toml")}, dir, newCurve()}
	var seeds []string
	rnd := rand.New(rand.NewPCG(3, 4))
	for b := range 10 {
		var lines []string
		for i := range 200 {
			worth := float64(rnd.IntN(3))/2 - 0.9*float64(min(b/4, 1))
			lines = append(lines, fmt.Sprintf("http://a.test/%d\tworth=%g", 200*b+i, max(0, worth)))
			k.curve.add(max(0, worth))
		}
		seeds = append(seeds, strconv.Quote(stagetest.Write(t, "worths.zst", lines...)))
	}
	text := strings.Replace(script, "SEEDS", strings.Join(seeds, ", "), 1)
	if err := os.WriteFile(k.Script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return k
}

// agrees holds the state and the alarms to the pages that were fetched.
func (k *killing) agrees() error {
	k.Helper()
	at := func(pattern string) []string {
		files, _ := filepath.Glob(filepath.Join(k.dir, "crawl", pattern))
		return files
	}
	segments := at("state/curve/*")
	if len(segments) != 1 {
		return fmt.Errorf("the state has the segments %q", segments)
	}
	c, err := read(segments[0])
	if err != nil {
		return err
	}
	if !bytes.Equal(table(c.all()), table(k.curve.all())) || !c.stagnant {
		return fmt.Errorf("stagnant is %t, and the table\n%s", c.stagnant, table(c.all()))
	}
	if alarms := at("stagnant/*"); len(alarms) != 1 {
		return fmt.Errorf("alarms %q, want one", alarms)
	}
	if n := len(at("table/*")); n < 3 || n != len(at("picture/*")) {
		return fmt.Errorf("%d tables and %d pictures", n, len(at("picture/*")))
	}
	return nil
}

// TestKilled kills a crawl, its manager or its stage: in the end the state has each page once, and
// the alarm was given once, as if nothing had happened.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	bin := t.TempDir()
	crash.BuildFaulty(t, bin, "./manager", "./stages/harvest")
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
	for _, defect := range []string{"harvest-forgotten", "alarm-again"} {
		k := newKilling(t, bin)
		k.Run(crash.Failpoints(t, defect))
		if err := k.agrees(); err == nil {
			t.Errorf("the defect %q was not seen", defect)
		}
	}
}
