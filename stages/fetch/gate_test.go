package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/bandwidth"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/traffic/polite"
)

var trial = flag.Duration("trial", 0,
	"try every control for `DURATION` against servers of different speeds, and print what these saw")

// A town is servers on addresses of the loopback, each of a speed of its own, that count what they
// have sent in every second.
type town struct {
	lines string // a batch

	mu    sync.Mutex
	began time.Time // when they were first asked
	sent  []int
}

// newTown opens servers that send so many bytes a second each.
func newTown(t *testing.T, pages int, speeds ...int) *town {
	t.Helper()
	w := &town{}
	random := rand.New(rand.NewPCG(1, 1))
	for i, speed := range speeds {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:0", i+2))
		if err != nil {
			t.Skipf("one loopback address a server is needed: %v", err)
		}
		server := &http.Server{Handler: w.send(speed)}
		go server.Serve(listener)
		t.Cleanup(func() { server.Close() })
		for page := range pages {
			w.lines += fmt.Sprintf("http://h%d.test/%d?size=%d\taddr=%s\n", i, page, 5_000+random.IntN(20_000),
				listener.Addr())
		}
	}
	return w
}

// grain is how often a server sends.
const grain = 20 * time.Millisecond

func (w *town) send(speed int) http.HandlerFunc {
	return func(out http.ResponseWriter, r *http.Request) {
		var size int
		fmt.Sscan(r.FormValue("size"), &size)
		out.Header().Set("Content-Length", fmt.Sprint(size))
		for start, sent := time.Now(), 0; sent < size; {
			time.Sleep(grain)
			due := min(int(time.Since(start).Seconds()*float64(speed)), size)
			if _, err := out.Write(make([]byte, due-sent)); err != nil {
				return
			}
			http.NewResponseController(out).Flush()
			w.count(due - sent)
			sent = due
		}
	}
}

func (w *town) count(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() {
		w.began = time.Now()
	}
	second := int(time.Since(w.began) / time.Second)
	for len(w.sent) <= second {
		w.sent = append(w.sent, 0)
	}
	w.sent[second] += n
}

// speeds are those of the servers in these tests, bytes a second: more than a megabyte together.
func speeds() []int {
	return []int{15e3, 20e3, 25e3, 30e3, 40e3, 50e3, 60e3, 70e3, 80e3, 100e3, 120e3, 150e3, 400e3}
}

// crawlTown fetches for a time under a control, and returns what the servers sent in each whole
// second of it but the first two, in which the crawler learns.
func crawlTown(t *testing.T, span time.Duration, args ...string) (sent []int, mean float64) {
	t.Helper()
	w := newTown(t, 200, speeds()...)
	fetch(t, w.lines, append([]string{"-rate", "400KB/s", "-for", span.String(), "-address-delay", "0"}, args...)...)
	w.mu.Lock()
	defer w.mu.Unlock()
	sent = w.sent[min(2, len(w.sent)):min(int(span/time.Second), len(w.sent))]
	for _, n := range sent {
		mean += float64(n) / float64(len(sent))
	}
	return sent, mean
}

// TestRateIsKept holds that the servers see the rate that was asked for, and not what they could
// send, by prediction alone. The bounds are wide, for a machine with other work sends in fits and
// starts; how near the rate is kept is what package bandwidth measures.
func TestRateIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	could := 0
	for _, speed := range speeds() {
		could += speed
	}
	sent, mean := crawlTown(t, 4*time.Second, "-control", "predict")
	if mean < 0.1*400e3 || mean > 0.6*float64(could) {
		t.Errorf("the servers sent %.0f bytes a second of %d that they could, want 400,000 or so: %v", mean, could,
			sent)
	}
	t.Logf("%.0f bytes a second", mean)
}

// TestEveryControl prints, with -trial 30s, what the servers saw of every control.
func TestEveryControl(t *testing.T) {
	if *trial == 0 {
		t.Skip("-trial DURATION tries every control")
	}
	for _, args := range []string{"ceiling", "onoff", "connections", "predict", "predict -ceiling"} {
		sent, mean := crawlTown(t, *trial, strings.Fields("-control "+args)...)
		slices.Sort(sent)
		t.Logf("%-16s mean %.1f %% of the rate, least %.1f, most %.1f in %d seconds", args, mean/4e3,
			float64(sent[0])/4e3, float64(sent[len(sent)-1])/4e3, len(sent))
	}
}

// TestRatesAreRemembered holds that what one run has learnt of the servers is known to the next.
func TestRatesAreRemembered(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	m := newMemory(t)
	args := func() []string {
		return m.args("-share", "0", "-rate", "1MB/s", "-control", "predict", "-address-delay", "0", "-for", "1m")
	}
	w := newTown(t, 3, 50e3, 200e3)
	fetch(t, w.lines, args()...)
	known := func(load string) (low, high float64) {
		o := &options{load: load}
		o.pace = pace{rate: new(stage.Rate), control: byPrediction}
		*o.pace.rate = 1e6
		state, err := o.openState(time.Now(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer state.set.Close()
		rate := func(host int) float64 {
			rec := w.record(t, host)
			if err := state.meet(newTarget(rec)); err != nil {
				t.Fatal(err)
			}
			return state.rates.Rate(newTarget(rec).address(), time.Now())
		}
		return rate(0), rate(1)
	}
	low0, high0 := known("")
	low, high := known(m.args()[1])
	if low == low0 || high == high0 {
		t.Errorf("servers are thought to give %.0f and %.0f bytes a second, as if nobody had asked them", low, high)
	}
	fetch(t, w.lines, args()...)
	if low2, high2 := known(m.args()[1]); low2 == low || high2 == high {
		t.Error("the second run has learnt nothing")
	}
	for _, run := range []int{0, 2} { // args makes a list for a run each time
		if code, errs := verify(t, m.segments[run]); code != stage.ExitDone {
			t.Errorf("-verify: exit code %d: %s", code, errs)
		}
	}
}

// record is the first of a host's lines.
func (w *town) record(t *testing.T, host int) *urlbatch.Record {
	t.Helper()
	for line := range strings.Lines(w.lines) {
		if !strings.HasPrefix(line, fmt.Sprintf("http://h%d.", host)) {
			continue
		}
		rec, err := urlbatch.Parse([]byte(strings.TrimSpace(line)))
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	t.Fatalf("no line of host %d", host)
	return nil
}

func verify(t *testing.T, path string) (code int, errs string) {
	var b bytes.Buffer
	code = stage.Run(t.Context(), tool(), setup, []string{"-verify", path}, nil, io.Discard, &b)
	return code, b.String()
}

// newPace are the flags of a rate of 100 KB/s.
func newPace(control string, ceiling bool) pace {
	rate := stage.Rate(100e3)
	return pace{rate: &rate, control: control, depth: 10, ceiling: ceiling}
}

// TestGate holds that a control is told what comes, starts nothing when it refuses, and is asked
// again.
func TestGate(t *testing.T) {
	now := time.Now()
	s := polite.New[*target](polite.Limits{Start: now, Deadline: now.Add(time.Hour)})
	for i := range 3 {
		v := newTarget(urlbatch.New(fmt.Sprintf("http://h%d.test/", i)))
		s.Add(v.host, v.address(), 0, v)
	}
	g := newGate(newPace(byOnOff, false), 3, nil)
	first, _ := g.next(s, now)
	if first == nil {
		t.Fatal("nothing starts below the rate")
	}
	booked := g.control.Start(now, first.Item.address())
	if g.received(t.Context(), 200e3); g.came.Load() != 200e3 {
		t.Error("what was read is not counted")
	}
	for _, at := range []time.Time{now, now.Add(bandwidth.Tick)} {
		if r, again := g.next(s, at); r != nil || !again.Equal(at.Add(bandwidth.Tick)) {
			t.Errorf("above the rate: %v, again at %v", r, again.Sub(at))
		}
	}
	s.Done(first, now, 0)
	g.control.End(now, booked, 0)
	if r, _ := g.next(s, now.Add(2*time.Second)); r == nil {
		t.Error("nothing starts when the rate has fallen")
	}
}

// TestAtOnce holds that few hosts share the rate in large pieces.
func TestAtOnce(t *testing.T) {
	o := &options{connections: 64, perHost: 2}
	for hosts, want := range map[int]int{0: 2, 1: 2, 10: 20, 32: 64, 5000: 64} {
		if got := o.atOnce(hosts); got != want {
			t.Errorf("%d requests at once to %d hosts, want %d", got, hosts, want)
		}
	}
}

// TestWhoWaits holds that reading waits by a ceiling alone, and is counted by whom it tells
// something.
func TestWhoWaits(t *testing.T) {
	for _, test := range []struct {
		control        string
		ceiling        bool
		counted, waits bool
	}{
		{byCeiling, false, true, true}, {byOnOff, false, true, false}, {byOnOff, true, true, true}, {byConnections,
			false, true, false},
	} {
		c := &exchange.Client{}
		newGate(newPace(test.control, test.ceiling), 64, nil).watch(c)
		if counted, waits := c.Pace != nil, c.Piece > 0; counted != test.counted || waits != test.waits {
			t.Errorf("%+v: counted %v, waits %v", test, counted, waits)
		}
	}
	free := pace{rate: new(stage.Rate), control: byCeiling}
	c := &exchange.Client{}
	if newGate(free, 64, nil).watch(c); c.Pace != nil || c.Piece != 0 {
		t.Error("without a rate reading waits")
	}
}

func TestControlsNeedARate(t *testing.T) {
	for _, args := range []string{
		"-control predict", "-ceiling", "-control other -rate 1MB/s", "-control predict -rate 1MB/s -max-depth 0",
	} {
		if code, errs := fetchInto(t.Context(), t.TempDir(), "", strings.Fields(args)...); code != stage.ExitUsage {
			t.Errorf("%s: exit code %d, want %d: %s", args, code, stage.ExitUsage, errs)
		}
	}
}

// Every control lets a batch come to its end, with a rate that is below the servers', too.
func TestEveryControlEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	for _, control := range []string{"ceiling", "onoff", "connections", "predict"} {
		w := newTown(t, 2, 100e3, 100e3, 100e3)
		res := fetch(t, w.lines, "-rate", "150KB/s", "-control", control, "-address-delay", "0", "-for", "30s")
		res.conserved(t, 6)
		for u, place := range res.place {
			if place != "pages" {
				t.Errorf("-control %s: %s is in %s", control, u, place)
			}
		}
	}
}
