package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestPeersTakeTurns holds that crawlers which know of each other no more than their number ask a
// host one after the other, though they begin at the same time.
func TestPeersTakeTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	const peers, urls, delay = 3, 3, 300 * time.Millisecond
	s := newSite(t, func(http.ResponseWriter, *http.Request) {})
	inTurns(t, peers, urls, delay, crawl(s, []string{"a.test"}, urls))
	if v := s.hosts["a.test"]; v.requests != peers*urls {
		t.Errorf("%d requests, want %d", v.requests, peers*urls)
	}
}

// inTurns lets so many crawlers fetch the same URLs of one host together, and holds that their
// requests were sent half a delay apart, however late the server may have seen them.
func inTurns(t *testing.T, peers, urls int, delay time.Duration, lines string, args ...string) {
	t.Helper()
	var mu sync.Mutex
	var sent []time.Time
	var runs sync.WaitGroup
	for turn := range peers {
		runs.Go(func() {
			args := append([]string{"-delay", delay.String(), "-slowness", "0", "-peers", fmt.Sprint(peers), "-turn",
				fmt.Sprint(turn)}, args...)
			res := fetch(t, lines, args...)
			res.conserved(t, urls)
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, res.dates(t)...)
		})
	}
	runs.Wait()
	if len(sent) != peers*urls {
		t.Fatalf("%d answers, want %d", len(sent), peers*urls)
	}
	slices.SortFunc(sent, time.Time.Compare)
	for i := 1; i < len(sent); i++ {
		// from the look at the clock to the request
		if gap := sent[i].Sub(sent[i-1]); gap < delay/2-20*time.Millisecond {
			t.Errorf("two requests are %v apart, want half of %v", gap, delay)
		}
	}
}

// TestPeersWaitLonger holds that each of several crawlers takes its part only, with turns and
// without, and that nodes.toml says the same as the numbers.
func TestPeersWaitLonger(t *testing.T) {
	t.Parallel()
	const delay = 100 * time.Millisecond
	file := filepath.Join(t.TempDir(), "nodes.toml")
	write(t, file, "nodes = 1\n"+
		"url = \"file:$FROM/$TO\"\n[[node]]\nname = \"arts\"\n[[node]]\nname = \"law\"\n[[node]]\nname = \"world\"\n")
	for _, c := range []struct {
		name       string
		args       []string
		first, gap time.Duration
	}{
		{"together", []string{"-peers", "3"}, 3 * delay, 3 * delay},
		{"in turns", []string{"-peers", "3", "-turn", "1"}, delay, 2 * delay},
		{"by nodes", []string{"-nodes", file, "-node", "law"}, delay, 2 * delay},
		{"alone", []string{"-peers", "1", "-turn", "0"}, delay, delay},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, slowly)
			res := fetch(t, crawl(s, []string{"a.test"}, 3), append(c.args, "-delay", delay.String())...)
			res.conserved(t, 3)
			v := s.hosts["a.test"]
			if v.requests != 3 || v.shortestGap < c.gap || v.first.Sub(s.began) < c.first {
				t.Errorf("%d requests %v apart, the first after %v; want 3, at least %v apart, after %v", v.requests,
					v.shortestGap, v.first.Sub(s.began), c.gap, c.first)
			}
		})
	}
}

// TestPeersDelay holds that a crawl-delay is given up only if no run would ever have its turn.
func TestPeersDelay(t *testing.T) {
	t.Parallel()
	s := newSite(t, slowly)
	for _, centuries := range []string{"4611686018428", "9223372036854"} {
		res := fetch(t, s.line("a.test", "/", "delay="+centuries), "-for", "30s", "-peers", "2")
		if res.place["http://a.test/"] != "failed" {
			t.Errorf("delay=%s: %v; want it given up", centuries, res.place)
		}
	}
	line := s.line("a.test", "/", "delay=10000")
	res := fetch(t, line, "-for", "30s", "-peers", "3")
	if res.place["http://a.test/"] != "failed" || !strings.Contains(res.report, "count crawl-delay 1") {
		t.Errorf("%v, %s; want it given up: 3 times 10 s do not fit into 30", res.place, res.report)
	}
	res = fetch(t, line, "-for", "10100ms", "-peers", "300", "-turn", "7")
	if res.place["http://a.test/"] != "again" {
		t.Errorf("%v; want another try, when it has its turn", res.place)
	}
}

func TestPeersFlags(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "nodes.toml")
	write(t, file, "nodes = 1\nurl = \"file:$FROM/$TO\"\n[[node]]\nname = \"arts\"\n")
	for args, want := range map[string]string{
		"-peers 0":                       "-peers must be from 1",
		"-peers 3 -turn 3":               "the first is 0",
		"-turn 1":                        "-turn must be below -peers, which is 1",
		"-peers 700 -delay 1s":           "with -peers 700 11m40s",
		"-node arts":                     "both",
		"-nodes " + file:                 "both",
		"-nodes " + file + " -node law":  "has no node \"law\"",
		"-nodes nowhere -node arts":      "nowhere",
		"-nodes x -node y -peers 2":      "one or the other",
		"-peers 10000 -address-delay 1s": "with -peers 10000 0s and 2h46m40s",
	} {
		code, stderr := fetchInto(t.Context(), t.TempDir(), "", strings.Fields(args)...)
		if code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s; want %q", args, code, stderr, want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
