package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"multitext/txlog/crash"
)

// focusScript is a crawl of classify pages with a hard focus alone.
const focusScript = `
flow  = 1
dir   = "crawl"
seeds = { pages = [SEEDS] }
[queue.pages]
ext = "warc.gz"
[queue.judged]
ext = "warc.gz"
[queue.elsewhere]
ext = "warc.gz"
[stage.focus]
in    = "pages"
out   = ["judged", "elsewhere"]
retry = 1000
read  = { topics = "topics.tree" }
env   = ["MULTITEXT_STEPS", "MULTITEXT_KILL_MARK"]
wait  = "10ms"
run   = """
  classify pages -tree {topics} -good nature -focus hard -mine {judged} -elsewhere {elsewhere}
    -report {report} {in}"""
`

// TestFocusKilled kills a crawl with a hard focus, its manager or its stage: in the end each page
// is in one output, once, as if nothing had happened.
func TestFocusKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	bin := t.TempDir()
	crash.BuildFaulty(t, bin, "./manager", "./stages/classify")
	model, err := os.ReadFile(topicModel(t))
	if err != nil {
		t.Fatal(err)
	}
	kills, chains := 0, 0
	for ; kills < *sendKills; chains++ {
		rnd := rand.New(rand.NewPCG(uint64(chains), 4))
		s := sendingIn(t, t.TempDir(), bin)
		var seeds, good, other []string
		for i := range 6 {
			var answers []answer
			for n := range 8 {
				url := fmt.Sprintf("http://h%d.test/%d", i, n)
				topic := []string{"arts", "geology"}[rnd.IntN(2)]
				if answers = append(answers, answer{url, ok, about(topic, rnd.IntN(12))}); topic == "arts" {
					other = append(other, url+"\tworth=0.000\tbest=arts")
				} else {
					good = append(good, url+"\tworth=1.000\tbest=nature/geology")
				}
			}
			seeds = append(seeds, strconv.Quote(batch(t, answers...)))
		}
		s.write("topics.tree", string(model))
		s.write("links.toml", strings.Replace(focusScript, "SEEDS", strings.Join(seeds, ", "), 1))
		kills += s.Chain(chains, rnd, s.take)
		for queue, want := range map[string][]string{"judged": good, "elsewhere": other} {
			var got []string
			files, _ := filepath.Glob(filepath.Join(s.dir, "crawl", queue, "*"))
			for _, path := range files {
				got = append(got, records(t, path)...)
			}
			slices.Sort(got)
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Fatalf("chain %d, %d kills: in %s are\n%q, want\n%q", chains, kills, queue, got, want)
			}
		}
		if chains > *sendKills {
			t.Fatalf("only %d kills in %d chains", kills, chains)
		}
	}
	t.Logf("%d kills in %d chains", kills, chains)
}
