package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// slowly answers after a while, so that requests overlap where they may.
func slowly(w http.ResponseWriter, _ *http.Request) {
	time.Sleep(5 * time.Millisecond)
	fmt.Fprint(w, "hello")
}

// crawl makes n lines for each host.
func crawl(s *site, hosts []string, n int, attrs ...string) string {
	var b strings.Builder
	for i := range n {
		for _, host := range hosts {
			b.WriteString(s.line(host, fmt.Sprint("/", i), attrs...))
		}
	}
	return b.String()
}

// TestHostsAreTreatedWell holds what the servers see against what was promised.
func TestHostsAreTreatedWell(t *testing.T) {
	hosts := []string{"a.test", "b.test", "c.test"}
	tests := []struct {
		name       string
		args       []string
		attrs      []string
		gap        time.Duration
		mostActive int
	}{
		{"one connection", nil, nil, 0, 1},
		{"delay", []string{"-delay", "60ms"}, nil, 60 * time.Millisecond, 1},
		{"crawl-delay is longer", []string{"-delay", "20ms"}, []string{"delay=60"}, 60 * time.Millisecond, 1},
		{"crawl-delay is shorter", []string{"-delay", "60ms"}, []string{"delay=20"}, 60 * time.Millisecond, 1},
		{"three connections", []string{"-per-host-connections", "3"}, nil, 0, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, slowly)
			res := fetch(t, crawl(s, hosts, 6, tt.attrs...), tt.args...)
			res.conserved(t, 18)
			for _, host := range hosts {
				v := s.hosts[host]
				if v.requests != 6 || v.mostActive > tt.mostActive {
					t.Errorf("%s: %d requests, %d at once; want 6, at most %d at once", host, v.requests,
						v.mostActive, tt.mostActive)
				}
				// The server's own end of a request is some microseconds before the client's.
				if tt.gap > 0 && v.shortestGap < tt.gap {
					t.Errorf("%s: gap of %v, want at least %v", host, v.shortestGap, tt.gap)
				}
				if first := v.first.Sub(s.began); first < tt.gap {
					t.Errorf("%s: first request after %v, want the delay of %v before it", host, first, tt.gap)
				}
			}
		})
	}
}

// TestAddressIsTreatedWell holds the same for the server that all hosts are on.
func TestAddressIsTreatedWell(t *testing.T) {
	t.Parallel()
	hosts := []string{"a.test", "b.test", "c.test", "d.test"}
	s := newSite(t, slowly)
	res := fetch(t, crawl(s, hosts, 3), "-address-delay", "40ms", "-per-address-connections", "1")
	res.conserved(t, 12)
	all := s.hosts[""]
	if all.requests != 12 || all.shortestGap < 40*time.Millisecond || all.first.Sub(s.began) < 40*time.Millisecond {
		t.Errorf("%+v; want 12 requests 40 ms apart", *all)
	}
	s = newSite(t, slowly)
	res = fetch(t, crawl(s, hosts, 6), "-per-address-connections", "2")
	res.conserved(t, 24)
	if all = s.hosts[""]; all.requests != 24 || all.mostActive != 2 {
		t.Errorf("%+v; want 24 requests, two of them at once", *all)
	}
}

// TestConnectionsOfManyHosts holds that connections are used again where there are more hosts than
// may be asked at once: of hosts without a delay each needs one; of those with a delay as many keep
// theirs as there is room for.
func TestConnectionsOfManyHosts(t *testing.T) {
	const hosts, pages, connections = 40, 3, 2
	const kept = idlePerRequest * connections
	names := make([]string, hosts)
	for i := range names {
		names[i] = fmt.Sprintf("h%d.test", i)
	}
	for delay, most := range map[string]int{"0": hosts, "20ms": kept + (hosts-kept)*pages} {
		var mu sync.Mutex
		peers := map[string]bool{}
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			peers[r.RemoteAddr] = true
		})
		res := fetch(t, crawl(s, names, pages), "-delay", delay, "-connections", fmt.Sprint(connections))
		res.conserved(t, hosts*pages)
		if len(peers) > most {
			t.Errorf("with a delay of %s %d connections, want %d at most", delay, len(peers), most)
		}
	}
}

// TestOneConnectionWhateverThePort holds that no connection to a host is kept while another of its
// servers is asked.
func TestOneConnectionWhateverThePort(t *testing.T) {
	t.Parallel()
	var asked []string // in turn: the host is one
	note := func(server string) http.HandlerFunc {
		return func(_ http.ResponseWriter, r *http.Request) {
			if asked = append(asked, server); r.Close {
				asked = append(asked, "closed")
			}
		}
	}
	one, two := newSite(t, note("one")), newSite(t, note("two"))
	lines := ""
	for i, s := range []*site{one, one, two, one} {
		lines += strings.Replace(s.line("h.test", fmt.Sprint("/", i)), "h.test",
			"h.test:"+fmt.Sprint(s.Listener.Addr().(*net.TCPAddr).Port), 1)
	}
	fetch(t, lines)
	want := "one one closed two closed one closed"
	if got := strings.Join(asked, " "); got != want {
		t.Errorf("the servers saw %q, want %q", got, want)
	}
}

// TestSlowHostIsLeftAlone holds that a host which takes long to answer is left alone for longer,
// and that what this crawler waits for its own rate is not taken for that.
func TestSlowHostIsLeftAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	const takes = 30 * time.Millisecond
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { time.Sleep(takes) })
	res := fetch(t, crawl(s, []string{"a.test"}, 4), "-delay", "5ms", "-slowness", "4")
	res.conserved(t, 4)
	if gap := s.hosts["a.test"].shortestGap; gap < 4*takes {
		t.Errorf("gap of %v, want at least %v", gap, 4*takes)
	}
	s = newSite(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 75_000)) })
	res = fetch(t, crawl(s, []string{"a.test"}, 2), "-delay", "5ms", "-slowness", "10", "-rate", "50KB/s")
	res.conserved(t, 2)
	if gap := s.hosts["a.test"].shortestGap; gap > 12*time.Second { // 15 s if the 1.5 s of a page counted
		t.Errorf("gap of %v after an answer that -rate held up", gap)
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	var hosts []string
	for i := range 30 {
		hosts = append(hosts, fmt.Sprintf("h%d.test", i))
	}
	most, active := make(chan int, 1), make(chan int, 1)
	most <- 0
	active <- 0
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		now := <-active + 1
		active <- now
		most <- max(<-most, now)
		slowly(w, r)
		active <- <-active - 1
	})
	res := fetch(t, crawl(s, hosts, 3), "-connections", "4")
	res.conserved(t, 90)
	if got := <-most; got > 4 || got < 2 {
		t.Errorf("%d requests at once, want more than one and at most 4", got)
	}
}

func TestDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, slowly)
	start := time.Now()
	res := fetch(t, crawl(s, []string{"a.test"}, 50, "tries=2"), "-delay", "300ms", "-for", "2s", "-slowness", "0")
	if took := time.Since(start); took > 12*time.Second { // 15 s for all
		t.Errorf("the run took %v, -for said 2s", took)
	}
	res.conserved(t, 50)
	done := 0
	for u, place := range res.place {
		if place == "pages" {
			done++
			continue
		}
		res.check(t, u, "again", 2, "")
	}
	if done == 0 || done > 6 || done != s.hosts["a.test"].requests {
		t.Errorf("%d pages of %d requests, want some, and at most 6 in 2 s with 300 ms between", done,
			s.hosts["a.test"].requests)
	}
	if strings.Contains(res.report, "\nlater ") {
		t.Errorf("what was not started waits, though nobody asked for that:\n%s", res.report)
	}
}

func TestRate(t *testing.T) {
	body := strings.Repeat("x", 50_000)
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
	start := time.Now()
	res := fetch(t, crawl(s, []string{"a.test", "b.test"}, 4), "-rate", "1MB/s")
	res.conserved(t, 8)
	if took := time.Since(start); took < 350*time.Millisecond {
		t.Errorf("400 KB at 1 MB/s took %v", took)
	}
}

// TestOvertime holds that a rate too low for what is under way does not hold the run.
func TestOvertime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	body := strings.Repeat("x", 1_000_000)
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
	start := time.Now()
	res := fetch(t, crawl(s, []string{"a.test", "b.test"}, 2), "-rate", "20KB/s", "-for", "500ms", "-page-timeout",
		"800ms", "-retry", "*=2")
	if took := time.Since(start); took > 10*time.Second { // 50 s without an end
		t.Errorf("the run took %v, with -for 500ms and -page-timeout 800ms", took)
	}
	res.conserved(t, 4)
	if want := "count overtime 2\n"; !strings.Contains(res.report, want) {
		t.Errorf("want %q; report:\n%s", want, res.report)
	}
	for _, host := range []string{"a.test", "b.test"} {
		res.check(t, "http://"+host+"/0", "again", 1, "")
		res.check(t, "http://"+host+"/1", "again", 0, "")
	}
}
