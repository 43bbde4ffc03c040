package examples

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"multitext/txlog"
)

// Killed at random with all their managers, the crawlers come to the same as undisturbed: in
// exchange mode no page is fetched twice and none is missing, and each link was sent once. With
// -c4kills 30 it is tried in all modes but the independent one, and with sixteen crawlers.
func TestParallelKilled(t *testing.T) {
	type crawl struct {
		mode
		crawlers int
	}
	crawls := []crawl{{exchange, 4}}
	if *c4Kills > 3 {
		crawls = append(crawls, crawl{exchange, 16}, crawl{inBatches, 4}, crawl{inSums, 4}, crawl{firewall, 4},
			crawl{crossOver, 4})
	}
	for _, c := range crawls {
		t.Run(fmt.Sprint(c.name, " of ", c.crawlers), func(t *testing.T) {
			t.Parallel()
			pages, each := 100**c4Kills, 1
			if c.name == crossOver.name { // each crawler fetches them all
				each = c.crawlers
			}
			d := newDivided(t, programs(t), c.crawlers, pages/each, batchesOf40()...)
			d.killedOften(*c4Kills, c.mode)
			m := d.cameToMeasures(c.mode)
			if (c.name != crossOver.name) != (m.Overlap == 0) {
				t.Errorf("overlap %v", m.Overlap)
			}
			t.Log(m)
		})
	}
}

// batchesOf40 is the change of the script by which a kill does not undo much.
func batchesOf40() []string { return []string{"-urls 400", "-urls 40"} }

// killedOften runs the crawlers, kills them all so often, and then runs them to their end. The kills
// are at random after requests: else most would hit a crawl that is over.
func (d *divided) killedOften(kills int, mode mode, args ...string) {
	d.t.Helper()
	args = append(mode.flags(), args...)
	pages := len(d.simulate(mode.rule(d)).answers(d.graph, d.nodes...))
	rnd := rand.New(rand.NewPCG(uint64(kills), uint64(len(d.nodes))))
	fired, managers, until := 0, 0, []int64{}
	for range kills {
		hit, over := d.killed(d.afterRequests(rnd.IntN(pages/kills/2), rnd.IntN(200)), args...)
		if over {
			break
		}
		fired++
		managers += hit
		until = append(until, d.fetched())
	}
	d.runAll(args...)
	if kills == 0 {
		return
	}
	all := d.fetched()
	if fired < max(1, kills*2/3) || managers < len(d.nodes)/2*fired || until[fired/2] == 0 || until[fired/2] == all {
		d.t.Errorf("%d of %d kills hit the crawl, and %d managers, until it had %d of %d pages", fired, kills, managers,
			until, all)
	}
	d.t.Logf("%d kills of %d managers, until there were %d of %d pages", fired, managers, until, all)
}

// afterRequests is due so many milliseconds after the web has answered so many requests more.
func (d *divided) afterRequests(requests, ms int) func(pid int) bool {
	before := d.requests()
	var at time.Time
	return func(int) bool {
		if at.IsZero() && d.requests()-before >= requests {
			at = time.Now().Add(time.Duration(ms) * time.Millisecond)
		}
		return !at.IsZero() && !time.Now().Before(at)
	}
}

// requests is the number of requests that the web has answered.
func (d *divided) requests() (n int) {
	d.t.Helper()
	var s webStats
	d.askStats("", &s)
	for kind, k := range s.Kinds {
		if kind != "robots.txt" {
			n += k.Distinct + k.Repeated
		}
	}
	return n
}

// fetched is the number of pages that fetch has committed, of all crawlers.
func (d *divided) fetched() (pages int64) {
	d.t.Helper()
	for _, name := range d.nodes {
		if _, err := os.Stat(d.path("crawl/" + name + "/log")); err != nil {
			continue // killed before it had a log
		}
		d.node(name).records(func(r txlog.Record) {
			c, ok := r.(*txlog.Commit)
			if !ok {
				return
			}
			for _, o := range c.Outputs {
				if o.Name.Queue() == "pages" {
					pages += o.Records
				}
			}
		})
	}
	return pages
}
