package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestGaps runs on the clock of synctest, so every gap is exact.
func TestGaps(t *testing.T) {
	fetch := func(l *ledger, host string, robots bool, took time.Duration) {
		r := l.begin(nil, host, robots)
		time.Sleep(took)
		r.end("/", kindPage, false)
	}
	for _, c := range []struct {
		name        string
		do          func(l *ledger)
		gap, robots string
	}{
		{"none before the second request", func(l *ledger) {
			fetch(l, "a", false, time.Second)
		}, "-", "-"},
		{"from the end to the start", func(l *ledger) {
			fetch(l, "a", false, 5*time.Second)
			time.Sleep(2 * time.Second)
			fetch(l, "a", false, 0)
		}, "2", "-"},
		{"the shortest counts", func(l *ledger) {
			fetch(l, "a", false, 0)
			time.Sleep(3 * time.Second)
			fetch(l, "a", false, 0)
			time.Sleep(time.Second)
			fetch(l, "a", false, 0)
			time.Sleep(4 * time.Second)
			fetch(l, "a", false, 0)
		}, "1", "-"},
		{"another host is no matter", func(l *ledger) {
			fetch(l, "a", false, 0)
			fetch(l, "b", false, 0)
		}, "-", "-"},
		{"robots.txt is apart", func(l *ledger) {
			fetch(l, "a", false, 0)
			time.Sleep(3 * time.Second)
			fetch(l, "a", true, 0)
			time.Sleep(2 * time.Second)
			fetch(l, "a", false, 0)
		}, "5", "2"},
		{"an overlap is no gap at all", func(l *ledger) {
			r := l.begin(nil, "a", false)
			time.Sleep(time.Second)
			fetch(l, "a", false, time.Second)
			r.end("/", kindPage, false)
		}, "0", "-"},
		{"nor is one with robots.txt", func(l *ledger) {
			r := l.begin(nil, "a", true)
			time.Sleep(time.Second)
			fetch(l, "a", false, time.Second)
			r.end("/robots.txt", kindRobots, false)
		}, "-", "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLedger()
				c.do(l)
				if s := l.stats(); show(s.Gap.Seconds) != c.gap || show(s.RobotsGap.Seconds) != c.robots {
					t.Errorf("gap %s, robots %s; want %s, %s", show(s.Gap.Seconds), show(s.RobotsGap.Seconds), c.gap,
						c.robots)
				}
			})
		})
	}
}

// TestPace counts from start to start, whether or not an answer is under way.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLedger()
		slow := l.begin(nil, "a", false)
		time.Sleep(3 * time.Second)
		l.begin(nil, "a", true).end("/robots.txt", kindRobots, false)
		l.begin(nil, "a", false).end("/", kindPage, false)
		time.Sleep(4 * time.Second)
		l.begin(nil, "a", false).end("/", kindPage, false)
		slow.end("/slow", kindPage, false)
		s := l.stats()
		if show(s.Pace.Seconds) != "3" || s.Pace.Host != "a" {
			t.Errorf("pace %s of %q, want 3 of a", show(s.Pace.Seconds), s.Pace.Host)
		}
		if h := s.Hosts[0]; h.Answers != 3 || h.Busy != 7 {
			t.Errorf("%d answers took %v s, want 3 in 7", h.Answers, h.Busy)
		}
	})
}

// TestAddresses asks four hosts on two addresses: what counts for one address counts
// neither for the other nor for a host.
func TestAddresses(t *testing.T) {
	web := newSynthetic(shape{hosts: 4, pages: 3, seed: 1})
	srv, _ := startWith(t, web, &options{faults: newFaults(), listen: []string{"127.0.0.1:0", "127.0.0.2:0"}})
	ask := func(c net.Conn, host string) string {
		t.Helper()
		fmt.Fprintf(c, "GET /style.css HTTP/1.1\r\nHost: %s\r\n\r\n", host)
		answer := make([]byte, 64<<10)
		n, err := c.Read(answer)
		if err != nil {
			t.Fatal(err)
		}
		status, _, _ := strings.Cut(string(answer[:n]), "\r\n")
		return status
	}
	a, b := dial(t, srv.addresses[0]), dial(t, srv.addresses[0])
	for _, c := range []struct {
		conn         net.Conn
		host, status string
	}{
		{a, "h000.test", "HTTP/1.1 200 OK"},
		{b, "h002.test", "HTTP/1.1 200 OK"},
		{b, "h001.test", "HTTP/1.1 421 Misdirected Request"},
		{dial(t, srv.addresses[1]), "h001.test", "HTTP/1.1 200 OK"},
	} {
		if got := ask(c.conn, c.host); got != c.status {
			t.Errorf("%s: %s, want %s", c.host, got, c.status)
		}
	}
	s := srv.ledger.stats()
	first := place{Address: srv.addresses[0]}
	if s.Connections.Most != 1 || s.AddressConnections != (peak{2, first}) || s.AddressRequests.Most != 1 {
		t.Errorf("connections %+v, of an address %+v, requests %+v; want 1, 2 at the first, 1", s.Connections,
			s.AddressConnections, s.AddressRequests)
	}
	if s.Gap.Seconds != nil || s.AddressGap.Seconds == nil || s.AddressGap.place != first ||
		s.AddressPace.place != first {
		t.Errorf("gap %+v, of an address %+v, pace %+v; want none for a host, some for the first address", s.Gap,
			s.AddressGap, s.AddressPace)
	}
	if len(s.Addresses) != 2 || s.Addresses[1].Requests != 1 || s.Addresses[1].Gap != nil {
		t.Errorf("the addresses are %+v", s.Addresses)
	}
}

func show(seconds *float64) string {
	if seconds == nil {
		return "-"
	}
	return fmt.Sprint(*seconds)
}

// TestCountsUnderConcurrency asks from many sides at once; all of them are
// under way together before the first ends.
func TestCountsUnderConcurrency(t *testing.T) {
	const workers, rounds = 16, 50
	l := newLedger()
	var together, all sync.WaitGroup
	together.Add(workers)
	for w := range workers {
		all.Go(func() {
			first := l.begin(nil, "a", false)
			together.Done()
			together.Wait()
			first.end("/", kindPage, false)
			for i := range rounds {
				l.begin(nil, "b", i%2 == 0).end(fmt.Sprintf("/%d", i), kindRedirect, w == 0)
			}
		})
	}
	all.Wait()

	s := l.stats()
	if got, want := s.Kinds[kindPage], (kindCount{1, workers - 1}); got != want {
		t.Errorf("pages: %+v, want %+v", got, want)
	}
	if got, want := s.Kinds[kindRedirect], (kindCount{rounds, rounds * (workers - 1)}); got != want {
		t.Errorf("redirects: %+v, want %+v", got, want)
	}
	if s.Requests != (peak{workers, place{Host: "a"}}) || s.Violations != rounds {
		t.Errorf("%+v requests at once, %d violations; want %d at a, %d", s.Requests, s.Violations, workers, rounds)
	}
	for name, h := range l.hosts {
		if h.open != [2]int{} {
			t.Errorf("%s: %v requests are left open", name, h.open)
		}
	}
}

// TestConnections holds connections to a host, one after the other and at once.
func TestConnections(t *testing.T) {
	srv, client := start(t, newSynthetic(shape{hosts: 2, pages: 3, seed: 1}), newFaults())
	addr := dialed(t, client)
	ask := func(c net.Conn, host, path string) {
		t.Helper()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host)
		if _, err := c.Read(make([]byte, 64<<10)); err != nil {
			t.Fatal(err)
		}
	}
	for range 300 { // a closed one must not count beside the next
		c := dial(t, addr)
		ask(c, "h000.test", "/style.css")
		c.Close()
	}
	if s := srv.ledger.stats(); s.Connections.Most != 1 {
		t.Errorf("%d connections at once, one after the other were made", s.Connections.Most)
	}
	a, b := dial(t, addr), dial(t, addr)
	ask(a, "h001.test", "/style.css")
	ask(b, "h001.test", "/robots.txt")
	if s := srv.ledger.stats(); s.Connections.Most != 1 ||
		s.ConnectionsWithRobots != (peak{2, place{Host: "h001.test"}}) {
		t.Errorf("connections %+v, with robots.txt %+v; want 1, 2", s.Connections, s.ConnectionsWithRobots)
	}
	ask(b, "h001.test", "/style.css")
	if s := srv.ledger.stats(); s.Connections != (peak{2, place{Host: "h001.test"}}) || s.Requests.Most != 1 {
		t.Errorf("connections %+v, requests %+v; want 2, 1", s.Connections, s.Requests)
	}
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestStatsFileIsTakenUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stats.json")
	l := newLedger()
	l.begin(nil, "a", false).end("/", kindPage, false)
	l.begin(nil, "a", true).end("/robots.txt", kindRobots, false)
	l.begin(nil, "a", false).end("/p", kindForbidden, true)
	if err := l.save(file); err != nil {
		t.Fatal(err)
	}
	again, err := loadLedger(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := again.stats(), l.stats(); !sameStats(got, want) {
		t.Errorf("taken up as %+v, was %+v", got, want)
	}
	again.begin(nil, "a", false).end("/", kindPage, false)
	if got := again.stats().Kinds[kindPage]; got != (kindCount{1, 1}) {
		t.Errorf("a page fetched before and after the restart counts %+v", got)
	}
}

// sameStats compares but for the clock's monotonic part, which no file keeps.
func sameStats(a, b stats) bool {
	strip := func(s *stats) {
		s.Started = s.Started.Round(0).UTC()
		for i := range s.Hosts {
			m := &s.Hosts[i].meterStats
			for _, t := range []*time.Time{&m.LastPage, &m.LastRobots, &m.LastStart} {
				*t = t.Round(0).UTC()
			}
		}
	}
	strip(&a)
	strip(&b)
	return reflect.DeepEqual(a, b)
}

// TestStatsFileGolden reads files as the first testweb wrote them, and the first that
// counted by address, and writes the same again.
func TestStatsFileGolden(t *testing.T) {
	for _, golden := range []string{"testdata/stats.json", "testdata/stats-addresses.json"} {
		l, err := loadLedger(golden)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "stats.json")
		if err := l.save(file); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v; written again as\n%s", golden, err, got)
		}
	}
}

func TestDamagedStatsFileIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stats.json")
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := loadLedger(file); err == nil || !strings.Contains(err.Error(), "remove it to begin anew") {
		t.Errorf("got %v", err)
	}
}
