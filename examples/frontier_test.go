package examples

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/txlog"
)

var allOrders = flag.Bool("orders", false, "the crawls with a frontier are made in each of its orders")

// frontierStage takes the place of scramble and batch.
const frontierStage = `[stage.frontier]
in    = ["fresh", "again", "visits", "wake"]
out   = ["frontier", "wake"]
state = "waiting"
take  = 64
timeout = "10m"
run   = "frontier -waiting {waiting} -new {waiting.new} -out {frontier} -wake {wake} FLAGS -report {report} {in}"
verify = "frontier -verify {in}"

[queue.frontier]
full = 1

`

// withFrontier puts the stage frontier, with such flags, into a script in the place of scramble and
// batch, and has resolve and fetch write what they learn of the hosts.
func (b *bench) withFrontier(flags string) {
	b.t.Helper()
	text := b.read(b.script)
	from, to := strings.Index(text, "[stage.scramble]"), strings.Index(text, "[stage.resolve]")
	if from < 0 || to < from {
		b.t.Fatalf("%s has no scramble in front of resolve", b.script)
	}
	b.write(b.script, text[:from]+strings.Replace(frontierStage, "FLAGS", flags, 1)+text[to:])
	b.change(`"given_up"]`, `"given_up", "visits"]`, "-failed {given_up}", "-visits {visits} -failed {given_up}",
		`"refused"]`, `"refused", "visits"]`, "-refused {refused}", "-visits {visits} -refused {refused}")
}

// waiting has the stage frontier look at its state by the window of a flag; ok is false where the crawl
// has none.
func (b *bench) waiting(window string) (said string, ok bool) {
	b.t.Helper()
	segments, err := filepath.Glob(b.crawlPath("state/waiting/*"))
	if err != nil || segments == nil {
		return "", false
	}
	cmd := exec.Command(b.bin+"/frontier", window, "-waiting", "/dev/stdin")
	cmd.Env = append(os.Environ(), "MT_SECRET="+b.crawlPath("secret"))
	cmd.Stdin = strings.NewReader(strings.Join(segments, "\n"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Errorf("frontier %s: %v\n%s", window, err, out)
	}
	return string(out), true
}

// The state of a frontier is whole in the middle of a crawl, too, and says how many URLs wait.
func TestFrontierStopped(t *testing.T) {
	t.Parallel()
	b := tourBench(t, programs(t))
	b.withFrontier(strings.Replace(tourFlags, "-urls 400", "-urls 20", 1) + "breadth")
	b.change("[limit]", "[stop]\nrecords = { fresh = 800 }\n\n[limit]")
	b.run(7)
	b.verified()
	said, _ := b.waiting("-hosts")
	if said == "" || strings.HasPrefix(said, "0 ") {
		t.Errorf("no URLs wait where the crawl is stopped in its middle: %s", said)
	}
}

// goesBy gives the frontier of a script what an order of everyOrder needs.
func (b *bench) goesBy(order string) {
	b.t.Helper()
	switch order {
	case "backlink", "opic=0.7,random=0.3":
		b.countsLinks()
	case "pagerank":
		b.ranks()
	}
}

// countsLinks gives the frontier of a script the links that filter does not let through.
func (b *bench) countsLinks() {
	b.t.Helper()
	b.change(`= "fresh"`, `= ["fresh", "known"]`, "-fresh {fresh}", "-fresh {fresh} -known {known}",
		`["fresh", "again", "visits"`, `["fresh", "known", "again", "visits"`)
}

var everyOrder = []string{"breadth", "random", "depth", "score", "learned", "backlink", "opic=0.7,random=0.3",
	"pagerank"}

// orders are the orders in which a crawl is made: the sample, or with -orders all.
func orders(sample ...string) []string {
	if *allOrders {
		return everyOrder
	}
	return sample
}

// handedOut holds the records that went into the state of a frontier against those that came out of
// it, over the whole history: none waits at the end of a crawl.
func (b *bench) handedOut() error {
	b.t.Helper()
	return b.handedOutBut(0)
}

// handedOutBut is handedOut where so many records came in again while they waited.
func (b *bench) handedOutBut(merged int) error {
	b.t.Helper()
	balance := map[string]int64{}
	b.records(func(r txlog.Record) {
		c, ok := r.(*txlog.Commit)
		if !ok || c.Stage != "frontier" {
			return
		}
		for _, why := range c.Reasons {
			balance[why.Name] += why.N
		}
		for _, o := range c.Outputs {
			balance[o.Name.Queue()] += o.Records
		}
		for _, count := range c.Counts {
			balance[count.Name] += count.N
		}
		for _, gauge := range c.Gauges {
			balance[gauge.Name] = gauge.N
		}
	})
	out := balance["frontier"] + balance["waited-over-budget"]
	if in := balance["waits"]; in == 0 || out != in-int64(merged) || balance["waiting"] != 0 {
		return fmt.Errorf("the frontier's balance is %v; want as many out as came to wait, less %d", balance, merged)
	}
	return nil
}

// tourFlags are the frontier's in the tour, beside -order.
const tourFlags = "-urls 400 -delay 20ms -address-delay 0s -silence 1s -order "

// The tour with a frontier fetches what it fetches with scramble and batch, and each URL that filter
// lets through has one outcome, in every order.
func TestTourOrders(t *testing.T) {
	for _, order := range orders("breadth", "backlink") {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			b := tourBench(t, programs(t))
			b.withFrontier(tourFlags + order)
			b.goesBy(order)
			b.change("[queue.frontier]", keepsFresh)
			b.run(0)
			b.frontierWhole()
			b.verified()
		})
	}
}

// The same, killed at random, twenty times, in an order that has most in its state.
func TestTourFrontierKilled(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`)
	b.withFrontier(tourFlags + "opic,backlink")
	b.countsLinks()
	b.frontierKilled()
	b.verified()
}

// frontierWhole finds that the tour is whole, and that each URL that the frontier took in has one outcome.
func (b *bench) frontierWhole() {
	b.t.Helper()
	b.tourWhole()
	b.oneOutcomeEach(readArchive(b.t, b.path("crawl/archive")).places())
	b.settled()
	if err := b.handedOut(); err != nil {
		b.t.Error(err)
	}
}

// frontierKilled crawls the web of the tour and is killed at random, twenty times; then all is there.
func (b *bench) frontierKilled() {
	b.t.Helper()
	b.ownWeb("-hosts", "20", "-pages", "100")
	fired := b.killed(20, wholeTree, 200*time.Millisecond, 900*time.Millisecond)
	if fired < 10 {
		b.t.Errorf("only %d kills hit the crawl", fired)
	}
	b.wholeThoughKilled(fired)
	if err := b.handedOut(); err != nil {
		b.t.Error(err)
	}
}

// With a budget no host has more pages, all else is over it, and none is lost: when the budget is raised
// and what was over comes in again, the tour is whole.
func TestFrontierBudget(t *testing.T) {
	t.Parallel()
	b := tourBench(t, programs(t))
	const budget, most = " -budget host=25", 25
	b.withFrontier(tourFlags + "breadth -over {over}" + budget)
	b.change("[queue.frontier]", keepsFresh, `out   = ["frontier", "wake"]`, `out   = ["frontier", "wake", "over"]`)
	b.run(0)
	outcomes, pages := readArchive(t, b.path("crawl/archive")).places(), map[string]int{}
	for url := range outcomes {
		pages[strings.Split(url, "/")[2]]++
	}
	full := 0
	for host, n := range pages {
		if n > most {
			t.Errorf("%d pages of %s, its budget is %d", n, host, most)
		} else if n == most {
			full++
		}
	}
	over := b.urls("over")
	for url, reason := range over {
		if outcomes[url] = append(outcomes[url], "over"); reason != "over-budget" {
			t.Errorf("%s is over its budget because of %q", url, reason)
		}
	}
	b.oneOutcomeEach(outcomes)
	if err := b.handedOut(); err != nil || full == 0 || len(over) == 0 {
		t.Errorf("%v; %d hosts had their budget, %d URLs are over it", err, full, len(over))
	}
	b.verified()

	files, err := filepath.Glob(b.crawlPath("over/*"))
	if err != nil {
		t.Fatal(err)
	}
	b.change(budget, "")
	if add, said := b.manager("add", append([]string{"fresh"}, files...)...); add.Run() != nil {
		t.Fatal(said)
	}
	b.run(0)
	b.frontierWhole()
}

// The real sites with a frontier.
func TestSitesOrders(t *testing.T) {
	for _, order := range orders("breadth") {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			b, reached := sitesBench(t)
			b.withFrontier("-urls 500 -delay 0s -address-delay 0s -silence 1s -order " + order)
			b.goesBy(order)
			b.change("[queue.frontier]", keepsFresh)
			b.run(0)
			b.sitesWhole(reached)
			if err := b.handedOut(); err != nil {
				t.Error(err)
			}
			b.oneOutcomeEach(readArchive(t, b.path("crawl/archive")).places())
			b.verified()
		})
	}
}
