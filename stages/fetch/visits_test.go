package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/traffic/polite"
	"multitext/stages/internal/traffic/visits"
)

// fetchVisits runs the stage as fetch does, and returns what it learned of the hosts, by name, and
// the lines of that.
func fetchVisits(t *testing.T, lines string, args ...string) (res leavings, of map[string]visits.Visit, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visits.txt")
	res = fetch(t, lines, append(args, "-visits", path)...)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	of = map[string]visits.Visit{}
	err = urlbatch.Each(t.Context(), []string{path}, nil, report.New(), nil, func(rec *urlbatch.Record) error {
		v, err := visits.Of(rec, time.Now())
		of[v.Host] = v
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("made %s %d %d ", path, len(of), len(raw)); !strings.Contains(res.report, want) {
		t.Errorf("want %q in\n%s", want, res.report)
	}
	return res, of, string(raw)
}

// varies are the attributes that no two runs have the same, by host.
var varies = regexp.MustCompile(`(took|not_before)=\d+|(http://drip.test/.*bytes)=\d+`)

// TestVisits holds what is written of hosts of every kind.
func TestVisits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	const takes = 30 * time.Millisecond
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil
		switch {
		case strings.HasPrefix(r.Host, "drip"):
			drips(w, r)
			return
		case r.Host == "healthy.test":
			time.Sleep(takes)
		}
		faults(w, r)
	})
	dead := "\taddr=" + closedPort(t) + "\n"
	past := fmt.Sprint("until=", time.Now().Unix()-1)
	lines := s.line("healthy.test", "/ok") + s.line("patient.test", "/ok", "delay=300") +
		s.line("busy.test", "/busy") + s.line("busy.test", "/ok") +
		"http://dead.test:81/1" + dead + "http://dead.test:81/2" + dead +
		s.line("healthy.test", "/missing") + s.line("patient.test", "/ok?2", "delay=300") +
		s.line("drip.test", "/body") + s.line("drip-head.test", "/head") + s.line("garbled.test", "/ok") +
		s.line("garbled.test", "/garbage") + "http://dies.test/ok\taddr=" + s.Listener.Addr().String() + "\n" +
		"http://dies.test:82/" + dead + s.line("stale.test", "/", past) +
		s.line("never.test", "/", "delay=3000000") + "ftp://x.test/\nbad line\n"
	start := time.Now()
	res, of, text := fetchVisits(t, lines, "-delay", "20ms", "-slowness", "0", "-timeout", "500ms", "-page-timeout",
		"1s")
	res.conserved(t, 18)
	want := strings.ReplaceAll(`http://healthy.test/ asked=2 answered=2 bytes=241 took=N pause=20 address=127.0.0.1
http://patient.test/ asked=2 answered=2 bytes=185 took=N pause=300 address=127.0.0.1
http://busy.test/ asked=1 answered=1 bytes=71 took=N pause=1000 not_before=N address=127.0.0.1
http://dead.test/ asked=1 failed=1 pause=20 address=127.0.0.1 unreached=connection-refused
http://drip.test/ asked=1 answered=1 bytes=N took=N pause=20 address=127.0.0.1
http://drip-head.test/ asked=1 failed=1 pause=20 address=127.0.0.1 unreached=head-timeout
http://garbled.test/ asked=2 answered=1 failed=1 bytes=83 took=N pause=20 address=127.0.0.1
http://dies.test/ asked=2 answered=1 failed=1 bytes=102 took=N pause=20 address=127.0.0.1 unreached=connection-refused
http://stale.test/ asked=0 pause=20
http://never.test/ asked=0 pause=3000000
`, " ", "\t")
	masked := varies.ReplaceAllStringFunc(text,
		func(s string) string { return s[:strings.LastIndexByte(s, '=')] + "=N" })
	if masked != want {
		t.Errorf("got\n%swant\n%s", masked, want)
	}
	if took := of["healthy.test"].Took; took < takes || took > time.Since(start) {
		t.Errorf("an answer took %v in the mean, want %v or little more", took, takes)
	}
	if held := of["busy.test"].NotBefore.Sub(start); held < 2*time.Minute || held > 2*time.Minute+time.Since(start) {
		t.Errorf("not before %v from the start, want two minutes after the answer", held)
	}
}

// TestVisitsAtTheEnd holds that a record is of the whole run and of its end: a host whose second
// server answers is reached, and what has passed holds it no more.
func TestVisitsAtTheEnd(t *testing.T) {
	o := &options{visits: filepath.Join(t.TempDir(), "visits.txt")}
	start := time.Now()
	state, err := o.openState(start, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer state.set.Close()
	r := &round{o: o, tally: o.tally(), state: state, schedule: polite.New[*target](o.limits(start))}
	v := newTarget(urlbatch.New("http://h.test/"))
	r.tally.meet(v.host, 0)
	r.schedule.Add(v.host, v.address(), 0, v)
	if err := state.meet(v); err != nil {
		t.Fatal(err)
	}
	state.load.Hold(v.host, start.Add(time.Second))
	r.tally.failed(v, exchange.Refused, false)
	for _, took := range []time.Duration{10 * time.Millisecond, 30 * time.Millisecond} {
		r.tally.answered(v.host, &result{answer: &exchange.Answer{}, took: took})
	}
	env := &stage.Env{Files: output.NewRun(io.Discard), Report: report.New()}
	if err := r.writeVisits(env, start.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(o.visits)
	if want := "http://h.test/\tasked=3\tanswered=2\tfailed=1\ttook=20\n"; string(text) != want || err != nil {
		t.Errorf("got %q, %v, want %q", text, err, want)
	}
}
