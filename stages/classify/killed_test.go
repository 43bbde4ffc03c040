package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/outgoing"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/txlog/crash"
)

var sendKills = flag.Int("sendkills", 12, "kills that TestLinksKilled makes at least")

// killedScript is a crawl of classify links alone.
const killedScript = `
flow  = 1
dir   = "crawl"
seeds = { inscope = [SEEDS] }
[queue.outgoing]
export = true
[stage.links]
in    = "inscope"
out   = ["mine", "outgoing"]
state = "sent"
retry = 1000
env   = ["MULTITEXT_STEPS", "MULTITEXT_KILL_MARK"]
wait  = "10ms"
run   = """
  classify links -nodes nodes.toml -node arts -by host -sent {sent} -new {sent.new}
    -mine {mine} -outgoing {outgoing} -report {report} {in}"""
`

// sending is a crawl under the manager that is killed, while other crawlers take what it holds for
// them.
type sending struct {
	crash.Crawl
	dir   string
	taken map[string][]string // links, by node
}

// sendingIn makes one in a folder, which has no script yet.
func sendingIn(t testing.TB, dir, bin string) *sending {
	return &sending{crash.Crawl{TB: t, Bin: bin, Script: filepath.Join(dir, "links.toml")}, dir, map[string][]string{}}
}

// newSending makes one of eight batches, which have links in common.
func newSending(t testing.TB, bin string, rnd *rand.Rand) (s *sending, all []string) {
	s = sendingIn(t, t.TempDir(), bin)
	var seeds []string
	for i := range 8 {
		var lines []string
		for range 40 {
			lines = append(lines, fmt.Sprintf("http://h%d.example/%d", rnd.IntN(12), rnd.IntN(10)))
		}
		name := fmt.Sprint(i, ".txt")
		s.write(name, strings.Join(lines, "\n"))
		seeds, all = append(seeds, strconv.Quote(name)), append(all, lines...)
	}
	s.write("nodes.toml", threeNodes)
	s.write("links.toml", strings.Replace(killedScript, "SEEDS", strings.Join(seeds, ", "), 1))
	return s, all
}

func (s *sending) write(name, text string) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

// take takes what lies in outgoing, as a peer may whenever it can see it.
func (s *sending) take() {
	s.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "crawl/outgoing/*/*"))
	if err != nil {
		s.Fatal(err)
	}
	for _, path := range files {
		if _, ok := outgoing.ParseName(filepath.Base(path)); !ok {
			s.Errorf("%s lies in outgoing", path)
		}
		node := filepath.Base(filepath.Dir(path))
		s.taken[node] = append(s.taken[node], stagetest.Lines(s, path)...)
		if err := os.Remove(path); err != nil {
			s.Fatal(err)
		}
	}
}

// agrees holds what was taken, what is ours, and the state to the links that came in: none is
// missing, none was sent twice, and the state has all that were sent.
func (s *sending) agrees(all []string) {
	s.Helper()
	want, distinct := map[string][]string{}, slices.Compact(slices.Sorted(slices.Values(all)))
	nodesFile := filepath.Join(s.dir, "nodes.toml")
	usual := []string{"-nodes", nodesFile, "-node", "arts", "-by", "host"}
	told := runLinks(s, "", slices.Concat(usual, []string{"-explain"}, distinct)...)
	for line := range strings.Lines(told.Stdout) {
		node, url, _ := strings.Cut(strings.TrimSpace(line), "\t")
		want[node] = append(want[node], url)
	}
	var mine []string
	files, _ := filepath.Glob(filepath.Join(s.dir, "crawl/mine/*"))
	for _, path := range files {
		mine = append(mine, stagetest.Lines(s, path)...)
	}
	ours := slices.DeleteFunc(slices.Clone(all), func(url string) bool { return !slices.Contains(want["arts"], url) })
	if slices.Sort(mine); !slices.Equal(mine, slices.Sorted(slices.Values(ours))) {
		s.Errorf("%d links are in mine, want %d", len(mine), len(ours))
	}
	delete(want, "arts")
	for node, links := range s.taken {
		slices.Sort(links)
		if !slices.Equal(links, want[node]) {
			s.Errorf("%s got %q, want\n%q", node, links, want[node])
		}
	}
	if len(s.taken) != len(want) || len(want) != 2 {
		s.Errorf("%d nodes got links, of %d", len(s.taken), len(want))
	}

	segments, _ := filepath.Glob(filepath.Join(s.dir, "crawl/state/sent/*"))
	s.write("list", strings.Join(segments, "\n"))
	again := s.TempDir()
	s.Setenv(keyed.Variable, filepath.Join(s.dir, "crawl/secret"))
	r := runLinks(s, strings.Join(distinct, "\n"), append(usual, "-sent", filepath.Join(s.dir, "list"), "-outgoing",
		filepath.Join(again, "m"))...)
	count := 0
	for links := range maps.Values(want) {
		count += len(links)
	}
	if r.Code != stage.ExitDone || !r.Has(fmt.Sprint("reason sent-before ", count)) || len(sent(s, again)) != 0 {
		s.Errorf("the state has not all of %d links; report:\n%s", count, r.Report)
	}
}

// TestLinksKilled kills a crawl under the real manager: what was sent and what the state says of it
// are one thing, since they ride in one transaction.
func TestLinksKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	bin := t.TempDir()
	crash.BuildFaulty(t, bin, "./manager", "./stages/classify")
	kills, chains := 0, 0
	for ; kills < *sendKills; chains++ {
		rnd := rand.New(rand.NewPCG(uint64(chains), 3))
		s, all := newSending(t, bin, rnd)
		kills += s.Chain(chains, rnd, s.take)
		if s.agrees(all); t.Failed() || chains > *sendKills {
			t.Fatalf("chain %d, %d kills", chains, kills)
		}
	}
	t.Logf("%d kills in %d chains", kills, chains)
}
