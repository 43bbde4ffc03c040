package examples

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// A mode is what parallel crawlers do with links to pages that are another's.
type mode struct {
	name    string
	vars    []string
	fetches func(d *divided, finder, url string) string // see rule
	counts  func(all, once int64) foreign               // what becomes of so many links that a crawler meets
}

func (m mode) rule(d *divided) rule {
	fetches := func(finder, url string) string { return m.fetches(d, finder, url) }
	return rule{fetches: fetches, keeps: finder, follows: finder}
}

// itself is for modes in which everybody fetches what it finds.
func itself(_ *divided, finder, _ string) string { return finder }

// The modes of Cho and Garcia-Molina.
var (
	exchange = mode{"exchange", []string{"links_by=host"},
		func(d *divided, _, url string) string { return d.owner[hostOf(url)] },
		func(all, once int64) foreign { return foreign{sent: once, before: all - once} }}
	inBatches = mode{"exchange in batches", []string{"links_by=host", "others=later", "every=1s"}, exchange.fetches,
		exchange.counts}
	inSums = mode{"exchange of numbers of links", append([]string{"sum=true", "order=backlink"}, inBatches.vars...),
		exchange.fetches, func(all, _ int64) foreign { return foreign{summed: all} }}
	firewall = mode{"firewall", []string{"links_by=host", "others=drop"},
		func(d *divided, finder, url string) string {
			if d.owner[hostOf(url)] == finder {
				return finder
			}
			return nobody
		},
		func(all, _ int64) foreign { return foreign{dropped: all} }}
	crossOver = mode{"cross-over", []string{"links_by=host", "others=aside"}, itself,
		func(all, once int64) foreign { return foreign{before: all - once} }}
	independent = mode{"independent", []string{"links_by=none"}, itself,
		func(int64, int64) foreign { return foreign{} }}
)

// flags are those of c4 run for a mode.
func (m mode) flags() []string {
	flags := []string{"-looks", "1s"}
	for _, v := range append([]string{"delay=0s", "pages_by=none"}, m.vars...) {
		flags = append(flags, "-var", v)
	}
	return flags
}

// In each mode crawlers fetch what they are to fetch, send and drop as many links as they meet, and
// end by themselves; and so says c4 measure. Two are enough where each fetches all.
func TestParallel(t *testing.T) {
	for _, c := range []struct {
		crawlers int
		mode
		more func(d *divided, m measured) error
	}{
		{4, exchange, func(d *divided, m measured) error {
			d.leavesTorn(exchange.flags()...)
			return wants(m.Overlap == 0 && m.URLsAPage > 0.5, m)
		}},
		{4, inSums, func(_ *divided, m measured) error { return wants(m.Overlap == 0 && m.URLsAPage > 0.5, m) }},
		{4, firewall, func(_ *divided, m measured) error {
			return wants(m.Overlap == 0 && m.Coverage > 0.2 && m.Coverage < 0.95, m)
		}},
		{2, crossOver, func(d *divided, m measured) error {
			return errors.Join(d.ownFirst(), wants(m.Overlap > 0.9 && m.URLsAPage == 0, m))
		}},
		{2, independent, func(_ *divided, m measured) error { return wants(m.Overlap > 0.9 && m.URLsAPage == 0, m) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDivided(t, programs(t), c.crawlers, 160)
			d.runAll(c.flags()...)
			m := d.cameToMeasures(c.mode)
			if err := c.more(d, m); err != nil {
				t.Error(err)
			}
			t.Log(m)
		})
	}
}

// wants is an error unless the measures are such that the test shows something.
func wants(ok bool, m measured) error {
	if ok {
		return nil
	}
	return fmt.Errorf("measured %v: no proof of anything", m)
}

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
		hit, over := d.killed(d.afterRequests(rnd.IntN(pages/kills), rnd.IntN(200)), args...)
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

// A judge is a test that notes its errors instead of failing.
type judge struct {
	testing.TB
	errs []string
}

func (j *judge) Errorf(format string, args ...any) {
	j.errs = append(j.errs, fmt.Sprintf(format, args...))
}
func (j *judge) Error(args ...any) { j.errs = append(j.errs, fmt.Sprint(args...)) }

// Crawlers that are wrong are seen: those that follow links of others, that send a link twice, that
// remove a batch before what was taken is committed, and that follow links set aside too soon.
func TestParallelSeesDefects(t *testing.T) {
	if *c4Kills <= 3 {
		t.Skip("-c4kills 30 does it")
	}
	const env = "[stage.links]\nenv = [\"MULTITEXT_FAILPOINTS\"]"
	links, gofer := []string{"[stage.links]", env}, []string{"[\"SSH_AUTH_SOCK\"", "[\"MULTITEXT_FAILPOINTS\""}
	for _, c := range []struct {
		mode
		defect string   // a failpoint; "": none
		change []string // of the script
		kills  int
	}{
		{mode: exchange}, {mode: crossOver}, // the control
		{exchange, "others-kept", links, 0},
		{exchange, "sent-forgotten", links, 0},
		{firewall, "others-kept", links, 0},
		{exchange, "removed-early", gofer, 20},
		{crossOver, "", []string{"min  = \"1TB\"", "#"}, 0},
	} {
		t.Run(fmt.Sprint(c.name, " ", c.defect, len(c.change)), func(t *testing.T) {
			t.Parallel()
			d := newDivided(t, faulty.Dir(t), 4, 160+20*c.kills, slices.Concat(batchesOf40(), c.change)...)
			if c.defect != "" {
				d.env = crash.Failpoints(t, c.defect)
			}
			j := &judge{TB: t}
			d.t = j
			d.killedOften(c.kills, c.mode, "-looks", "100ms")
			d.cameToMeasures(c.mode)
			if c.name == crossOver.name {
				if err := d.ownFirst(); err != nil {
					j.Error(err)
				}
			}
			if wrong := c.change != nil; wrong != (len(j.errs) > 0) {
				t.Errorf("%d errors: %q", len(j.errs), slices.Concat(j.errs, []string{""})[0])
			} else if wrong {
				t.Logf("%d errors, the first: %.200s", len(j.errs), j.errs[0])
			}
		})
	}
}

// ownFirst is an error if a crawler has asked a host of another before it had all pages that it
// finds without links of others.
func (d *divided) ownFirst() error {
	first := d.simulate(firewall.rule(d))
	for node, a := range d.archives() {
		begun, own := "~", 0 // when it asked a host of another, and the pages of its own before
		for host, dates := range a.sent {
			if d.owner[host] != node {
				begun = min(begun, slices.Min(dates))
			}
		}
		for host, dates := range a.sent {
			for _, date := range dates {
				if d.owner[host] == node && date < begun {
					own++
				}
			}
		}
		want := first.answers(d.graph, node)
		if begun == "~" || own != len(want) {
			return fmt.Errorf("%s: asked others' hosts first at %s, with %d of its own pages, want %d", node, begun,
				own, len(want))
		}
	}
	return nil
}
