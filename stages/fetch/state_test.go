package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/traffic/load"
)

// A memory is the state of a crawl in a test.
type memory struct {
	t        *testing.T
	dir      string
	segments []string
}

func newMemory(t *testing.T) *memory { return &memory{t: t, dir: t.TempDir()} }

// args are the flags of a run that reads the state and adds to it.
func (m *memory) args(more ...string) []string {
	var there []string // a run that has nothing to say writes none
	for _, path := range m.segments {
		if _, err := os.Stat(path); err == nil {
			there = append(there, path)
		}
	}
	list := filepath.Join(m.dir, "list")
	if err := os.WriteFile(list, []byte(strings.Join(there, "\n")), 0o666); err != nil {
		m.t.Fatal(err)
	}
	return append([]string{"-load", list, "-new", m.next()}, more...)
}

// next is the path of the next segment, which counts as committed.
func (m *memory) next() string {
	m.segments = append(m.segments, filepath.Join(m.dir, fmt.Sprint(len(m.segments), ".seg")))
	return m.segments[len(m.segments)-1]
}

// write adds the segment of b.
func (m *memory) write(b segment.Entries) {
	m.t.Helper()
	b.Sort()
	set := &segment.Set{}
	if err := set.Append(output.NewRun(io.Discard), m.next(), b, report.New()); err != nil {
		m.t.Fatal(err)
	}
}

// TestShare holds that a host that has had its share of the crawl is asked no more.
func TestShare(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	none := func(uint64) ([]byte, bool, error) { return nil, false, nil }
	before, err := load.New(time.Now(), 0, 1, nil, none)
	if err != nil {
		t.Fatal(err)
	}
	count := func(host string, n int) {
		before.Meet(host)
		for range n {
			before.Count(host, time.Now())
		}
	}
	for i := range 2000 {
		count(fmt.Sprint("h", i, ".test"), 1)
	}
	count("large.test", 81) // of 83, as there are 2,000 hosts and not many requests
	var b segment.Entries
	before.Entries(&b)
	m.write(b)

	s := newSite(t, slowly)
	batch := crawl(s, []string{"large.test", "small.test"}, 5, "tries=1")
	start := time.Now()
	res, of, _ := fetchVisits(t, batch, m.args()...)
	res.conserved(t, 10)
	if v := of["large.test"]; v.Asked != 2 || v.NotBefore.Before(start.Add(4*time.Minute)) {
		t.Errorf("of a host that has had its share: %+v", v)
	}
	if v := of["small.test"]; v.Asked != 5 || !v.NotBefore.IsZero() {
		t.Errorf("of a host that has not had its share: %+v", v)
	}
	for i := range 5 {
		res.check(t, fmt.Sprint("http://small.test/", i), "pages", 1, "")
		place := "again"
		if i < 2 {
			place = "pages"
		}
		res.check(t, fmt.Sprint("http://large.test/", i), place, 1, "")
	}
	if want := "count over-share 3\n"; !strings.Contains(res.report, want) {
		t.Errorf("want %q in\n%s", want, res.report)
	}
	if wait := res.due(t); wait < 4*time.Minute || wait > 11*time.Minute {
		t.Errorf("due in %v, want at the end of the slot or in ten minutes", wait)
	}

	res, of, _ = fetchVisits(t, crawl(s, []string{"large.test"}, 1), m.args()...) // the run before has counted
	res.check(t, "http://large.test/0", "again", 0, "")
	if v := of["large.test"]; v.Asked != 0 || v.NotBefore.Before(start.Add(4*time.Minute)) {
		t.Errorf("of a host that was not asked: %+v", v)
	}
	res = fetch(t, crawl(s, []string{"large.test"}, 1), m.args("-share", "0.1")...)
	res.check(t, "http://large.test/0", "pages", 0, "")
	res = fetch(t, crawl(s, []string{"large.test"}, 1), m.args("-share", "0")...)
	res.check(t, "http://large.test/0", "pages", 0, "")
}

// TestHoldLastsFromRunToRun holds that a host that wants to be left alone is, by the runs that
// follow, too.
func TestHoldLastsFromRunToRun(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	s := newSite(t, faults)
	fetch(t, s.line("h.test", "/busy"), m.args()...)
	start := time.Now()
	res, of, _ := fetchVisits(t, s.line("h.test", "/ok")+s.line("other.test", "/ok"), m.args()...)
	res.check(t, "http://h.test/ok", "again", 0, "")
	if v := of["h.test"]; v.Asked != 0 || v.NotBefore.Before(start.Add(100*time.Second)) {
		t.Errorf("of a host that is held: %+v", v)
	}
	res.check(t, "http://other.test/ok", "pages", 0, "")
	if got := s.hosts["h.test"].requests; got != 1 {
		t.Errorf("the host was asked %d times though it wanted peace", got)
	}
	if wait := res.due(t); wait < 100*time.Second || wait > 170*time.Second {
		t.Errorf("due in %v, want in 120 s or a little more", wait)
	}
}

// TestHoldOfAnotherStage: a host that wants to be left alone is, by a second stage of fetch, too, and for
// as long.
func TestHoldOfAnotherStage(t *testing.T) {
	t.Parallel()
	first, second := newMemory(t), newMemory(t)
	s := newSite(t, faults)
	fetch(t, s.line("h.test", "/busy"), first.args()...)
	of := first.args()[1] // the list
	_, before, _ := fetchVisits(t, s.line("h.test", "/ok"), first.args()...)
	res, after, _ := fetchVisits(t, s.line("h.test", "/ok")+s.line("other.test", "/ok"),
		second.args("-other-load", of)...)
	res.check(t, "http://h.test/ok", "again", 0, "")
	res.check(t, "http://other.test/ok", "pages", 0, "")
	if got := s.hosts["h.test"].requests; got != 1 {
		t.Errorf("the host was asked %d times though it wanted peace", got)
	}
	if a, b := before["h.test"].NotBefore, after["h.test"].NotBefore; !a.Equal(b) {
		t.Errorf("the first stage leaves it alone until %v, the second until %v", a, b)
	}
}

// TestSlownessLastsFromRunToRun holds that a host that was slow, or busy, is left alone for as long
// when the next batch has URLs of it.
func TestSlownessLastsFromRunToRun(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	const takes = 300 * time.Millisecond
	m := newMemory(t)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "busy.test" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		time.Sleep(takes)
	})
	for range 2 {
		fetch(t, crawl(s, []string{"slow.test", "busy.test"}, 1), m.args("-delay", "1ms", "-slowness", "5")...)
	}
	for host, least := range map[string]time.Duration{"slow.test": 5 * takes, "busy.test": time.Second} {
		if v := s.hosts[host]; v.requests != 2 || v.shortestGap < least {
			t.Errorf("%s: %d requests %v apart, want 2 with %v between", host, v.requests, v.shortestGap, least)
		}
	}
}

// TestOldEntriesAreDropped holds that what was asked hours ago leaves the state when segments are
// merged.
func TestOldEntriesAreDropped(t *testing.T) {
	m := newMemory(t)
	for i := range 3 {
		old := time.Now().Add(-2 * time.Hour)
		ledger, err := load.New(old, 0, 1, nil, func(uint64) ([]byte, bool, error) { return nil, false, nil })
		if err != nil {
			t.Fatal(err)
		}
		host := fmt.Sprint("old", i, ".test")
		ledger.Meet(host)
		ledger.Count(host, old)
		var b segment.Entries
		ledger.Entries(&b)
		m.write(b)
	}
	s := newSite(t, func(http.ResponseWriter, *http.Request) {})
	res := fetch(t, s.line("h.test", "/"), m.args()...)
	if n := strings.Count(res.report, "\nreplaces "); n != 3 {
		t.Fatalf("%d segments are replaced, want 3:\n%s", n, res.report)
	}
	entries := 0
	err := segment.VerifyFile(m.segments[3], nil, func([]byte) (string, error) { entries++; return "", nil })
	if err != nil || entries != 2 {
		t.Errorf("%d entries are left, %v; want one of the host and one of all", entries, err)
	}
}

// TestStateIsOptional holds that nothing is written where nobody wants it, or nothing was asked.
func TestStateIsOptional(t *testing.T) {
	s := newSite(t, func(http.ResponseWriter, *http.Request) {})
	m := newMemory(t)
	fetch(t, "ftp://x.test/\n", m.args()...)
	if _, err := os.Stat(m.segments[0]); err == nil {
		t.Error("a run that asked nobody wrote a segment")
	}
	fetch(t, s.line("h.test", "/"), "-share", "0.002")

	state, err := (&options{share: 0.002}).openState(time.Now(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		state.load.Meet(fmt.Sprint("h", i))
	}
	if room, _ := state.load.Room("h0", time.Now()); room < 1_000_000 {
		t.Errorf("without a state there is room for %d only", room)
	}
}

func TestVerify(t *testing.T) {
	s := newSite(t, func(http.ResponseWriter, *http.Request) {})
	m := newMemory(t)
	fetch(t, s.line("h.test", "/"), m.args()...)
	other, keys := segment.Entries{}, segment.Entries{Keys: []uint64{1}}
	other.Add(1, []byte("?"))
	m.write(other)
	m.write(keys)
	for i, good := range []bool{true, false, false} {
		var errs bytes.Buffer
		code := stage.Run(t.Context(), tool(), setup, []string{"-verify", m.segments[i]}, nil, io.Discard, &errs)
		if good != (code == stage.ExitDone) {
			t.Errorf("-verify of %s: exit code %d: %s", m.segments[i], code, &errs)
		}
	}
}
