package examples

import (
	"fmt"
	"testing"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// slowStages fetch the URLs of slow hosts, beside those of all others.
const slowStages = `[stage.resolve_slow]
in    = "slow"
out   = ["ready_slow", "again", "refused", "visits"]
state = "hosts_slow"
run   = """
  resolve -agent {agent} -connect-to '*.test={web}' -hosts {hosts_slow} -new {hosts_slow.new}
    -ready {ready_slow} -again {again} -refused {refused} -visits {visits} -report {report} {in}"""

[stage.fetch_slow]
in    = "ready_slow"
out   = ["pages", "again", "given_up", "visits"]
state = "load_slow"
read  = { load = "load" }
run   = """
  fetch -agent {agent} -connect-to '*.test={web}' -delay 100ms -max-delay 2s -for 100s
    -address-delay 0s -per-address-connections 0
    -other-load {load} -load {load_slow} -new {load_slow.new}
    -pages {pages} -again {again} -visits {visits} -failed {given_up} -report {report} {in}"""

[queue.pages]
`

// slowWeb has hosts of which some take a second for a page, and others a hundredth of that.
var slowWeb = []string{"-hosts", "12", "-pages", "6", "-speeds", "4000-400000"}

// TestSlowLane: two stages of fetch share the hosts by their pace, and keep one politeness. The web,
// which sees what both ask, never sees two connections to a host, nor two requests nearer than the
// delay; all pages are fetched, once. With a frontier that moves a host while a batch with its URLs
// is out, it does.
func TestSlowLane(t *testing.T) {
	t.Run("promise", func(t *testing.T) {
		t.Parallel()
		b, seen := laneCrawl(t)
		if err := seen.keptByHost(); err != nil {
			t.Error(err)
		}
		b.lanesWhole()
	})
	t.Run("mutant", func(t *testing.T) {
		t.Parallel()
		_, seen := laneCrawl(t, "lane-left")
		err := seen.keptByHost()
		if err == nil {
			t.Fatal("a frontier that moves hosts while they are out kept the promise")
		}
		t.Log(err)
	})
}

// keptByHost tells whether no host was asked too soon or over two connections.
func (m *manners) keptByHost() error {
	if m.Gap.Seconds == nil || *m.Gap.Seconds < 0.1 || m.Connections.Most != 1 || m.Requests.Most != 1 {
		return fmt.Errorf("%v; want 0.1 s, 1, 1", m)
	}
	return nil
}

// laneCrawl crawls with two stages of fetch, and a frontier with the given defects.
func laneCrawl(t *testing.T, defects ...string) (*bench, *manners) {
	t.Helper()
	b := newBench(t, faulty.Dir(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`,
		"-delay 20ms -slowness 0", "-delay 100ms -max-delay 2s", "-for 5m", "-for 10s", "[queue.pages]\n", slowStages)
	b.withFrontier("-delay 100ms -address-delay 0s -silence 1s -for 10s -slow {slow}")
	b.change("-for 10s -rate", "-for 10s -other-load {load_slow} -rate", "[stage.fetch]\n",
		"[stage.fetch]\nread = { load_slow = \"load_slow\" }\n")
	b.change(`["frontier", "wake"]`, `["frontier", "slow", "wake"]`, "[stage.frontier]\n",
		"[stage.frontier]\nenv = [\"MULTITEXT_FAILPOINTS\"]\n")
	b.env = crash.Failpoints(t, defects...)
	b.ownWeb(slowWeb...)
	b.run(0)
	b.settled()
	b.waiting("-check")
	m := &manners{}
	b.askStats("?hosts=1", m)
	t.Log(m)
	return b, m
}

// lanesWhole finds all pages in the archive, once, and runs of both stages of fetch.
func (b *bench) lanesWhole() {
	b.t.Helper()
	a := readArchive(b.t, b.path("crawl/archive"))
	if err := sameURLs(a.answers, toFetch(b.reachableIn(append(slowWeb, "http://h000.test/")...))); err != nil {
		b.t.Error(err)
	}
	if err := a.once(); err != nil {
		b.t.Error(err)
	}
	read := map[string]int64{}
	b.records(func(r txlog.Record) {
		if c, ok := r.(*txlog.Commit); ok {
			read[c.Stage] += c.Read
		}
	})
	b.t.Logf("fetch read %d URLs, fetch_slow %d", read["fetch"], read["fetch_slow"])
	if read["fetch"] < 20 || read["fetch_slow"] < 20 {
		b.t.Errorf("fetch read %d URLs, fetch_slow %d; want some by each", read["fetch"], read["fetch_slow"])
	}
}
