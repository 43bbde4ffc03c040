package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostileShape is a web in which each fault is that of one host of three.
func hostileShape() shape {
	faults := faultTable()
	return shape{hosts: 3 * len(faults), pages: 3, seed: 1, hostile: hostile{len(faults), faults}}
}

// TestThirdOfTheHostsMisbehaves finds each fault at one host, the next at the third behind
// it, and the first host in good health.
func TestThirdOfTheHostsMisbehaves(t *testing.T) {
	s := hostileShape()
	for host := range s.hosts {
		f := s.faultOf(host)
		if want := host%3 == 2; (f != nil) != want {
			t.Fatalf("host %d misbehaves: %v, want %v", host, f != nil, want)
		}
		if f != nil && f.name != s.hostile.faults[host/3].name {
			t.Errorf("host %d has the fault %s, want %s", host, f.name, s.hostile.faults[host/3].name)
		}
	}
	s.hostile.n = 2 * len(s.hostile.faults)
	if a, b := s.faultOf(1), s.faultOf(1+s.hosts/2); a == nil || a != b {
		t.Errorf("with twice as many, hosts 1 and %d have the faults %v and %v, want the same", 1+s.hosts/2, a, b)
	}
}

// TestEveryFaultIsInThePackageComment compares the table there with the faults that are.
func TestEveryFaultIsInThePackageComment(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(doc), "// # Hosts that misbehave\n")
	if !ok {
		t.Fatal("doc.go has no table of faults")
	}
	var told, are []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z0-9-]+) `).FindAllStringSubmatch(table, -1) {
		told = append(told, m[1])
	}
	for _, f := range slices.Concat(faultTable(), starvers()) {
		are = append(are, f.name)
	}
	if !slices.Equal(told, are) {
		t.Errorf("in one list only: %q", differences(told, are))
	}
}

// meets is what comes of a request: silence, a reset, or a flood, which is more than half a
// megabyte. Where it says nothing, less than that and the end.
var meets = map[string]string{
	"silent": "silence", "resets": "reset",
	"head-reset": "reset", "head-silent": "silence", "head-slow": "silence", "head-endless": "flood",
	"head-lines": "flood",
	"head-line":  "flood", "interim": "flood", "banner": "silence",
	"body-silent": "silence", "body-slow": "silence", "body-endless": "flood", "body-unbounded": "flood",
	"body-reset":  "reset",
	"length-huge": "flood", "chunk-huge": "flood", "chunk-extension": "flood", "chunk-trailer": "flood",
	"chunk-crumbs": "flood",
	"gzip-bomb":    "flood", "deflate-bomb": "flood", "br-bomb": "flood", "trap-links": "flood",
	"page-nested": "flood", "page-attribute": "flood", "page-attributes": "flood", "page-comment": "flood",
	"page-entities": "flood", "page-random": "flood",
}

// TestFaults meets each fault on the wire, and leaves it: nothing stays behind.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	s := hostileShape()
	srv, _ := start(t, newSynthetic(s), newFaults())
	before := runtime.NumGoroutine()
	for host := range s.hosts {
		f := s.faultOf(host)
		if f == nil || f.robots != nil {
			continue
		}
		want := meets[f.name]
		if want == "" {
			want = "end"
		}
		t.Run(f.name, func(t *testing.T) {
			wait := 30 * time.Second
			if want == "silence" {
				wait = 50 * time.Millisecond
			}
			if got, text := meet(t, srv.addresses[0], hostName(host), wait); got != want {
				t.Errorf("a client meets %s, want %s: %.60q", got, want, text)
			}
		})
	}
	settles(t, "requests that are still open", 0, func() (open int) {
		srv.ledger.mu.Lock()
		defer srv.ledger.mu.Unlock()
		for _, h := range srv.ledger.hosts {
			open += h.open[all] + len(h.conns)
		}
		return open
	})
	settles(t, "goroutines more than before", 0, func() int { return max(0, runtime.NumGoroutine()-before) })
	for name, n := range srv.ledger.stats().Kinds {
		if n.Distinct != 1 || n.Repeated != 0 {
			t.Errorf("%s counts %+v, want one", name, n)
		}
	}
}

// meet asks for the front page of a host, and tells what came of it: silence where the
// answer is not at its end after so long a wait.
func meet(t *testing.T, address, host string, wait time.Duration) (what, text string) {
	t.Helper()
	return meetAt(t, address, host, "/", wait)
}

func meetAt(t *testing.T, address, host, target string, wait time.Duration) (what, text string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, host)
	_ = c.SetReadDeadline(time.Now().Add(wait))
	var b strings.Builder
	const flood = 500_000
	_, err = io.CopyN(&b, c, flood)
	switch {
	case b.Len() == flood:
		what = "flood"
	case errors.Is(err, io.EOF):
		what = "end"
	case errors.Is(err, syscall.ECONNRESET):
		what = "reset"
	case errors.Is(err, os.ErrDeadlineExceeded):
		what = "silence"
	default:
		t.Fatal(err)
	}
	return what, b.String()
}

// settles waits until what is as wanted.
func settles(t *testing.T, what string, want int, now func() int) {
	t.Helper()
	for range 3000 {
		if now() == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s: %d, want %d", what, now(), want)
}

// TestLongestTime ends an answer that nobody leaves.
func TestLongestTime(t *testing.T) {
	for _, name := range []string{"silent", "head-slow", "body-endless"} {
		t.Run(name, func(t *testing.T) {
			s := shape{hosts: 1, pages: 1, hostile: hostile{n: 1}}
			if err := s.hostile.choose(name); err != nil {
				t.Fatal(err)
			}
			srv, _ := start(t, newSynthetic(s), newFaults())
			srv.longest = 50 * time.Millisecond
			c := dial(t, srv.addresses[0])
			fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: h000.test\r\n\r\n")
			_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
			if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("the answer goes on")
			}
		})
	}
}

// TestRobotsOfHostsThatMisbehave tells which answers count as violations.
func TestRobotsOfHostsThatMisbehave(t *testing.T) {
	s := hostileShape()
	srv, client := start(t, newSynthetic(s), newFaults())
	for host := range s.hosts {
		f := s.faultOf(host)
		if f == nil || !strings.HasPrefix(f.name, "robots-") && f.name != "type-none" {
			continue
		}
		for target, violation := range map[string]bool{"/2.html": f.nothing, "/private/1.html": !f.all} {
			before := srv.ledger.stats().Violations
			if status, _ := get(t, client, "http://"+hostName(host)+target); status != 200 {
				t.Errorf("%s: %s answers %d", f.name, target, status)
			}
			if got := srv.ledger.stats().Violations > before; got != violation {
				t.Errorf("%s: %s is a violation: %v, want %v", f.name, target, got, violation)
			}
		}
		if f.robots == nil {
			if _, text := get(t, client, "http://"+hostName(host)+"/robots.txt"); text != forbidPrivate {
				t.Errorf("%s: robots.txt is %q", f.name, text)
			}
		}
	}
}

// TestRobotsChain follows its five redirects.
func TestRobotsChain(t *testing.T) {
	s := shape{hosts: 1, pages: 1, hostile: hostile{n: 1}}
	if err := s.hostile.choose("robots-chain"); err != nil {
		t.Fatal(err)
	}
	srv, client := start(t, newSynthetic(s), newFaults())
	to := "/robots.txt"
	for hop := 0; ; hop++ {
		resp, err := client.Get("http://h000.test" + to)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if to = resp.Header.Get("Location"); to == "" {
			if hop != 5 || string(text) != forbidPrivate {
				t.Errorf("after %d hops comes %q, want the rules after 5", hop, text)
			}
			if n := srv.ledger.stats().Kinds; len(n) != 1 || n[kindRobots].Distinct != 6 {
				t.Errorf("counted as %v, want six robots.txt", n)
			}
			return
		}
	}
}

// TestReachOfHostsInGoodHealth is the same whatever the fault of the others, and counts
// their front pages only.
func TestReachOfHostsInGoodHealth(t *testing.T) {
	var first map[string]kind
	for _, name := range []string{"silent", "trap-session"} {
		s := shape{hosts: 9, pages: 60, seed: 1, hostile: hostile{n: 3}}
		if err := s.hostile.choose(name); err != nil {
			t.Fatal(err)
		}
		r, err := newSynthetic(s).reach([]string{"http://h000.test/"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		misbehave := 0
		for u, k := range r.kinds {
			if k == kind(name) {
				misbehave++
				delete(r.kinds, u)
			}
		}
		if misbehave != 3 || len(r.kinds) < 6*60 {
			t.Errorf("%s: %d addresses misbehave, %d do not; want 3, and all of six hosts", name, misbehave,
				len(r.kinds))
		}
		if first == nil {
			first = r.kinds
		}
		if !maps.Equal(first, r.kinds) {
			t.Errorf("%s: other addresses in good health are reached", name)
		}
	}
}

// TestTrapHosts answers below the host of the trap, and below no other.
func TestTrapHosts(t *testing.T) {
	s := shape{hosts: 4, pages: 2, seed: 1, hostile: hostile{n: 2}}
	for _, name := range []string{trapHosts, "type-none"} {
		if err := s.hostile.choose(name); err != nil {
			t.Fatal(err)
		}
	}
	srv, client := start(t, newSynthetic(s), newFaults())
	for host, want := range map[string]int{"h001.test": 200, "x7.h001.test": 200, "y7.h001.test": 421,
		"x7.h000.test": 421, "x7.h003.test": 421, "x7.x7.h001.test": 421} {
		status, body := get(t, client, "http://"+host+"/")
		if status != want {
			t.Errorf("%s answers %d, want %d", host, status, want)
		}
		if host == "x7.h001.test" && !strings.Contains(body, "http://x15.h001.test/") {
			t.Errorf("%s links to %s", host, body)
		}
	}
	if n := srv.ledger.stats().Kinds[trapHosts].Distinct; n != 2 {
		t.Errorf("%d addresses counted, want 2", n)
	}
}

func FuzzHostNumber(f *testing.F) {
	s := shape{hosts: 6, pages: 1, hostile: hostile{n: 3}}
	for _, name := range []string{trapHosts, "silent"} {
		if err := s.hostile.choose(name); err != nil {
			f.Fatal(err)
		}
	}
	for _, name := range []string{"h001.test", "h0001.test", "x7.h001.test", "x+7.h001.test", "x99999.h005.test",
		"h-1.test", ".", "x1.x1.h001.test"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		n, ok := s.hostNumber(name)
		if !ok {
			return
		}
		below, plain := strings.CutSuffix(name, hostName(n))
		trapped := s.faultOf(n) != nil && s.faultOf(n).name == trapHosts
		if n < 0 || n >= s.hosts || !plain ||
			below != "" && !(trapped && regexp.MustCompile(`^x(0|[1-9][0-9]{0,4})\.$`).MatchString(below)) {
			t.Errorf("%q is taken for host %d", name, n)
		}
	})
}

// TestStarvers meets what takes a crawl's time on the wire: links, silence behind them, and names
// below the host.
func TestStarvers(t *testing.T) {
	all := starvers()
	s := shape{hosts: len(all), pages: 3, seed: 1, hostile: hostile{len(all), all}}
	srv, _ := start(t, newSynthetic(s), newFaults())
	for host, want := range []struct {
		links int
		below string // a host or a path
		ends  bool
	}{{10_000, "/link/00007", true}, {2, "/link/00001", false}, {10_000, "/link/00007", false}, {120, "x119.", false},
		{5_000, "x4999.", false}} {
		name, target := hostName(host), "/robots.txt"
		_, text := meetAt(t, srv.addresses[0], name, "/", 5*time.Second)
		if n := strings.Count(text, "<a href="); n != want.links {
			t.Errorf("%s has %d links, want %d", all[host].name, n, want.links)
		}
		if strings.HasPrefix(want.below, "/") {
			target = want.below
		} else {
			name = want.below + name
		}
		wait := 50 * time.Millisecond
		if want.ends {
			wait = 30 * time.Second
		}
		what, _ := meetAt(t, srv.addresses[0], name, target, wait)
		if (what == "end") != want.ends {
			t.Errorf("%s: a client meets %s at %s%s", all[host].name, what, name, target)
		}
	}
}
