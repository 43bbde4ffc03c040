package waiting

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/testkit/committed"
	"multitext/stages/internal/traffic/visits"
)

// A crawl is a state over many runs, as the manager would keep it.
type crawl struct {
	committed.Segments
	t     testing.TB
	now   time.Time
	rules Rules
	most  int // bytes in memory; 0: as usual
}

func newCrawl(t testing.TB) *crawl {
	return &crawl{t: t, Segments: committed.Segments{Dir: t.TempDir()}, now: time.Unix(1_800_000_000, 0),
		rules: Rules{Pause: time.Second, Silence: 10 * time.Second, Patience: 10 * time.Second}}
}

// run opens the state, does what do does, and saves it.
func (c *crawl) run(do func(s *State)) {
	c.t.Helper()
	c.unchecked(do)
	c.check()
}

// unchecked is run for benchmarks.
func (c *crawl) unchecked(do func(s *State)) {
	c.t.Helper()
	c.rules.Now = c.now
	s, err := Open(c.List(c.t), nil, c.rules)
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.Close()
	if c.most > 0 {
		s.most, s.mostArrived = c.most, c.most
	}
	do(s)
	rep := report.New()
	if err := s.Save(output.NewRun(io.Discard), c.New(), rep); err != nil {
		c.t.Fatal(err)
	}
	c.Commit(c.t, rep)
}

func (c *crawl) add(s *State, band uint8, urls ...string) {
	c.t.Helper()
	for _, url := range urls {
		if ok, err := s.Add(urlbatch.New(url), band); !ok || err != nil {
			c.t.Fatal(url, ok, err)
		}
	}
}

// compose returns the URLs of a batch.
func (c *crawl) compose(s *State, plan Plan) (urls []string) {
	c.t.Helper()
	picks, err := s.Compose(plan)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, p := range picks {
		urls = append(urls, string(p.Line))
	}
	return urls
}

func (c *crawl) visit(s *State, v visits.Visit) {
	c.t.Helper()
	if err := s.Visited(&v); err != nil {
		c.t.Fatal(err)
	}
}

// urlsOf are n URLs of a host.
func urlsOf(host string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("http://%s/%d", host, i))
	}
	return urls
}

// TestEachOnce has URLs come in, go out and come back in many runs, beside a model: each goes out
// once each time that it came in, those of a host and band in their order, no host gets more than
// there is time for, and none of a worse band while a better one of the host waits, but where a
// share goes by turns.
func TestEachOnce(t *testing.T) {
	for seed := range uint64(4) {
		rnd, c := rand.New(rand.NewPCG(seed, 1)), newCrawl(t)
		if seed%2 == 1 {
			c.most = 40_000 // so that some of what comes in goes to a file
		}
		if seed >= 2 {
			c.rules.Explore = 0.3
		}
		queues := map[string][bands][]string{}
		waiting := 0
		for run := 0; run < 60 || waiting > 0; run++ {
			if run > 3000 {
				t.Fatalf("%d URLs still wait", waiting)
			}
			c.run(func(s *State) {
				for range rnd.IntN(200) {
					if run >= 60 {
						break
					}
					host, band := fmt.Sprintf("h%d.test", rnd.IntN(1+rnd.IntN(40))), uint8(rnd.IntN(4)*63)
					url := fmt.Sprintf("http://%s/%d\tdepth=%d", host, rnd.IntN(1e9), band)
					rec, _ := urlbatch.Parse([]byte(url))
					if _, err := s.Add(rec, band); err != nil {
						t.Fatal(err)
					}
					q := queues[host]
					q[band] = append(q[band], url)
					queues[host] = q
					waiting++
				}
				most := 1 + rnd.IntN(300)
				urls := c.compose(s, Plan{Longest: time.Minute, Most: most})
				if len(urls) > most {
					t.Fatalf("%d URLs, want at most %d", len(urls), most)
				}
				count := map[string]int{}
				for _, url := range urls {
					host := strings.Split(url, "/")[2]
					q, best := queues[host], 0
					for len(q[best]) == 0 || c.rules.Explore > 0 && q[best][0] != url && best < 3*63 {
						best++
					}
					if q[best][0] != url {
						t.Fatalf("run %d: %q goes out before %q", run, url, q[best][0])
					}
					q[best] = q[best][1:]
					queues[host] = q
					waiting--
					if count[host]++; count[host] > 60 {
						t.Fatalf("%d URLs of %s in a minute", count[host], host)
					}
				}
				if s.Waiting() != uint64(waiting) {
					t.Fatalf("run %d: the state says that %d URLs wait, %d do", run, s.Waiting(), waiting)
				}
				for host := range count {
					if rnd.IntN(2) == 0 {
						c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
					}
				}
			})
			c.now = c.now.Add(time.Duration(rnd.IntN(60)) * time.Second)
		}
		if seed == 0 {
			t.Logf("%d runs, %d segments", c.Runs, len(c.Paths))
		}
	}
}

// TestFair: a host with many URLs has its turns, and the others have theirs.
func TestFair(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("big.test", 10_000)...)
		for h := range 10 {
			c.add(s, 5, urlsOf(fmt.Sprintf("h%d.test", h), 20)...)
		}
		for h := range 10 {
			c.visit(s, visits.Visit{Host: fmt.Sprintf("h%d.test", h), Asked: 1, Answered: 1, Pause: time.Second})
		}
		c.visit(s, visits.Visit{Host: "big.test", Asked: 1, Answered: 1, Pause: time.Second})
	})
	count := map[string]int{}
	for range 8 {
		c.run(func(s *State) {
			for _, url := range c.compose(s, Plan{Longest: 10 * time.Second, Most: 1000}) {
				count[strings.Split(url, "/")[2]]++
			}
		})
		c.now = c.now.Add(10 * time.Second)
	}
	if count["big.test"] > 80 || count["big.test"] < 20 {
		t.Errorf("the large host has %d URLs in 80 s", count["big.test"])
	}
	for h := range 10 {
		if n := count[fmt.Sprintf("h%d.test", h)]; n != 20 {
			t.Errorf("host %d has %d of its 20 URLs", h, n)
		}
	}
}

// TestFullBeforeListed: a host that was listed before stays so when one that is new fills the batch.
func TestFullBeforeListed(t *testing.T) {
	c := newCrawl(t)
	out := 0
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("a.test", 10)...)
		out += len(c.compose(s, Plan{Longest: 10 * time.Second, Most: 100}))
	})
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("b.test", 1)...)
		out += len(c.compose(s, Plan{Longest: 10 * time.Second, Most: 1}))
	})
	for range 10 {
		c.now = c.now.Add(10 * time.Second)
		c.run(func(s *State) { out += len(c.compose(s, Plan{Longest: 10 * time.Second, Most: 100})) })
	}
	if out != 11 {
		t.Errorf("%d of 11 URLs went out", out)
	}
}

// TestAddresses: hosts of a domain, of which no address is known, share what an address may be asked;
// those of others do not.
func TestAddresses(t *testing.T) {
	c := newCrawl(t)
	count := map[string]int{}
	c.run(func(s *State) {
		for h := range 10 {
			c.add(s, 0, urlsOf(fmt.Sprintf("h%d.one.test", h), 1)...)
			c.add(s, 0, urlsOf(fmt.Sprintf("www.other%d.test", h), 1)...)
		}
		for _, url := range c.compose(s, Plan{Longest: time.Minute, Most: 100, PerAddress: 300 * time.Millisecond}) {
			count[url[strings.Index(url, ".")+1:][:5]]++
		}
	})
	if count["one.t"] != 3 || count["other"] != 10 {
		t.Errorf("handed out: %v; want 3 of the one domain, and all 10 of the others", count)
	}
}

// TestInterleaved: the hosts of a batch take turns in it.
func TestInterleaved(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) {
		for _, h := range []string{"a.test", "b.test", "c.test"} {
			c.add(s, 0, urlsOf(h, 4)...)
		}
		urls := c.compose(s, Plan{Longest: time.Minute, Most: 100})
		for i := 3; i < len(urls); i++ {
			if a, b := urls[i-3], urls[i]; strings.Split(a, "/")[2] != strings.Split(b, "/")[2] {
				t.Errorf("%s stands three behind %s", b, a)
			}
		}
		if len(urls) < 6 {
			t.Errorf("%d URLs: %v", len(urls), urls)
		}
	})
}

// TestHolds: a host that is to be left alone, or did not answer, is not handed out before its time.
func TestHolds(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) {
		c.add(s, 0, "http://held.test/", "http://silent.test/1", "http://silent.test/2", "http://well.test/")
		c.visit(s, visits.Visit{Host: "held.test", NotBefore: c.now.Add(5 * time.Minute)})
		c.visit(s, visits.Visit{Host: "silent.test", Asked: 1, Failed: 1, Unreached: "head-timeout"})
	})
	at := map[string]time.Duration{}
	began := c.now
	for range 40 {
		c.run(func(s *State) {
			for _, url := range c.compose(s, Plan{Longest: time.Minute, Most: 100}) {
				at[url] = c.now.Sub(began)
			}
		})
		c.now = c.now.Add(10 * time.Second)
	}
	if at["http://well.test/"] != 0 || at["http://held.test/"] < 3*time.Minute ||
		at["http://held.test/"] > 6*time.Minute ||
		at["http://silent.test/1"] == 0 || at["http://silent.test/2"] <= at["http://silent.test/1"] {
		t.Errorf("handed out after %v", at)
	}
}

// TestDoubtful: a host that did not answer, and a URL that failed, go into a long batch or one where
// nothing else is due.
func TestDoubtful(t *testing.T) {
	c := newCrawl(t)
	c.rules.Silence = time.Second
	plan := Plan{Longest: time.Minute, Most: 1000}
	doubtful := func(urls []string) (n int) {
		for _, url := range urls {
			if !strings.Contains(url, "well") {
				n++
			}
		}
		return n
	}
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "silent.test", Asked: 1, Failed: 1, Unreached: "head-timeout"})
		c.add(s, 0, urlsOf("silent.test", 2)...)
		c.add(s, failed, "http://failed.test/")
	})
	c.now = c.now.Add(2 * time.Second)
	c.run(func(s *State) { c.compose(s, plan) }) // the first of a crawl looks at all
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		c.add(s, failed, "http://failed.test/2")
		c.add(s, 0, "http://well.test/")
		if urls := c.compose(s, plan); len(urls) != 1 || doubtful(urls) != 0 {
			t.Errorf("a short batch has %v", urls)
		}
	})
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		if urls := c.compose(s, plan); doubtful(urls) != 2 {
			t.Errorf("where nothing else is due, a batch has %v", urls)
		}
	})
	c.run(func(s *State) {
		for i := range 5 {
			host := fmt.Sprintf("well%d.test", i)
			c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
			c.add(s, 0, urlsOf(host, 100)...)
		}
		c.add(s, failed, "http://failed.test/3")
	})
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		if urls := c.compose(s, plan); len(urls) < 51 || doubtful(urls) != 1 {
			t.Errorf("a long batch has %v", urls)
		}
	})
}

// TestSlowLane: a host is in one lane, that of its pause.
func TestSlowLane(t *testing.T) {
	c := newCrawl(t)
	c.rules.Slow = 10 * time.Second
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "slow.test", Asked: 1, Answered: 1, Pause: 30 * time.Second})
		c.add(s, 0, urlsOf("slow.test", 5)...)
		c.add(s, 0, urlsOf("quick.test", 4)...)
	})
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "slow.test", Pause: time.Second}) // asked nothing
	})
	c.run(func(s *State) {
		for lane, host := range map[Lane]string{Main: "quick.test", Slow: "slow.test"} {
			urls := c.compose(s, Plan{Lane: lane, Longest: 10 * time.Minute, Most: 100})
			if len(urls) == 0 || slices.ContainsFunc(urls, func(u string) bool { return !strings.Contains(u, host) }) {
				t.Errorf("lane %d: %v", lane, urls)
			}
		}
	})
}

// TestLaneIsKept: a host that turns out to be slow is not handed out to the other lane while a batch is
// out that has URLs of it; when all are back it is, and when they should have been for an hour.
func TestLaneIsKept(t *testing.T) {
	c := newCrawl(t)
	c.rules.Slow = 10 * time.Second
	plan := Plan{Longest: 10 * time.Second, Most: 100}
	want := func(what string, wantMain, wantSlow bool) {
		t.Helper()
		c.run(func(s *State) {
			main := len(c.compose(s, plan))
			slow := len(c.compose(s, Plan{Lane: Slow, Longest: time.Minute, Most: 100}))
			if (main > 0) != wantMain || (slow > 0) != wantSlow {
				t.Errorf("%s: %d URLs, and %d for slow hosts", what, main, slow)
			}
		})
		c.now = c.now.Add(10 * time.Minute)
	}
	visit := func(pause time.Duration) {
		c.run(func(s *State) {
			c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: pause})
		})
		c.now = c.now.Add(time.Minute)
	}
	c.run(func(s *State) { c.add(s, 0, urlsOf("a.test", 50)...) })
	want("at first", true, false)
	want("nothing is back", true, false)
	visit(30 * time.Second)
	want("one of two is back", true, false)
	visit(30 * time.Second)
	visit(30 * time.Second)
	want("all are back", false, true)
	visit(time.Second)
	want("it is quick again", true, false)
	c.run(func(s *State) { // of a batch of which nothing came back
		c.visit(s, visits.Visit{Host: "a.test", Pause: 30 * time.Second})
		r := s.rows[hostKey(s.set.Hash().Sum([]byte("a.test")))]
		r.out, r.batch = 1, s.meta.done[Main]+1
	})
	c.now = c.now.Add(time.Minute)
	want("one is out", true, false)
	c.now = c.now.Add(2 * time.Hour)
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "a.test", Pause: 30 * time.Second})
		r := s.rows[hostKey(s.set.Hash().Sum([]byte("a.test")))]
		r.out, r.batch = 1, s.meta.done[Main]+1
	})
	want("one is out for hours", false, true)
	visit(time.Second)
	want("it is quick, and the lost one does not count", true, false)
}

// TestClockSetBack: hosts do not wait for a clock that was set back to be where it was.
func TestClockSetBack(t *testing.T) {
	c := newCrawl(t)
	out := 0
	c.run(func(s *State) { c.add(s, 0, urlsOf("a.test", 100)...) })
	c.now = c.now.Add(-24 * time.Hour)
	for range 60 {
		c.run(func(s *State) { out += len(c.compose(s, Plan{Longest: 10 * time.Second, Most: 1000})) })
		c.now = c.now.Add(10 * time.Second)
	}
	if out != 100 {
		t.Errorf("%d of 100 URLs went out in ten minutes", out)
	}
}

// TestWake: one wake batch waits while URLs do, and a lost one is replaced.
func TestWake(t *testing.T) {
	c := newCrawl(t)
	var due time.Time
	wake := func(want bool) {
		t.Helper()
		c.run(func(s *State) {
			c.compose(s, Plan{Longest: 10 * time.Second, Most: 1000})
			at, ok, err := s.Wake()
			if err != nil || ok != want {
				t.Errorf("run %d: wake %v, %v; want %v", c.Runs, ok, err, want)
			}
			if ok {
				due = at
			}
		})
	}
	wake(false)
	c.run(func(s *State) { c.add(s, 0, urlsOf("a.test", 100)...) })
	wake(true)
	wake(false)
	c.run(func(s *State) { s.Woken(due) })
	wake(true)
	c.now = due.Add(2 * time.Minute)
	wake(true)
}

// TestWakeBehindStale: an entry of a ready list that its host's row does not name any more does not
// wake, and is passed over for good when its time has come; a host that comes in before it is not.
func TestWakeBehindStale(t *testing.T) {
	c := newCrawl(t)
	held := func(s *State, host string, band uint8, until time.Duration) {
		c.visit(s, visits.Visit{Host: host, NotBefore: c.now.Add(until)})
		c.add(s, band, "http://"+host+"/")
	}
	wake := func(s *State, want time.Duration) {
		t.Helper()
		s.Woken(time.UnixMilli(s.meta.wake))
		if at, _, err := s.Wake(); err != nil || at.Sub(c.now) != want {
			t.Errorf("run %d: wake in %v, %v; want %v", c.Runs, at.Sub(c.now), err, want)
		}
	}
	c.run(func(s *State) { held(s, "a.test", 5, 3*time.Minute) })
	c.run(func(s *State) { held(s, "a.test", 1, 5*time.Minute) })
	c.run(func(s *State) {
		held(s, "b.test", 5, time.Minute)
		s.settle()
		wake(s, time.Minute)
	})
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		urls := c.compose(s, Plan{Longest: 10 * time.Second, Most: 10})
		if !slices.Equal(urls, []string{"http://b.test/"}) {
			t.Errorf("handed out: %v", urls)
		}
	})
	c.run(func(s *State) { wake(s, 4*time.Minute) })
	c.now = c.now.Add(2 * time.Minute)
	c.run(func(s *State) { wake(s, 2*time.Minute) })
	c.run(func(s *State) {
		if read := s.meta.read[Main][5].at - c.now.UnixMilli(); read != 0 {
			t.Errorf("band 5 was read up to %d ms from now", read)
		}
	})
}

// TestDrains: while nothing comes in, the state becomes smaller with what waits.
func TestDrains(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	c := newCrawl(t)
	const hosts, each, of = 5000, 40, 10_000
	const rows = hosts * 2 * 165 // bytes, old ones too
	c.run(func(s *State) {
		for i := range each {
			for h := range hosts {
				c.add(s, uint8(i/10), fmt.Sprintf("http://www.host%d.test/%x/%x.html", h, h*(i/10),
					uint64(h+i)*0x9e3779b97f4a7c15))
			}
		}
	})
	full := c.Bytes(t)
	for left := hosts * each; left > 0; {
		c.now = c.now.Add(4 * time.Second)
		c.run(func(s *State) { left -= len(c.compose(s, Plan{Longest: 10 * time.Second, Most: of})) })
		if bound := 3*full*int64(left)/(hosts*each) + rows; c.Bytes(t) > bound {
			t.Fatalf("%d bytes for %d URLs, want at most %d", c.Bytes(t), left, bound)
		}
		if c.Runs > 1000 {
			t.Fatalf("%d URLs wait still", left)
		}
	}
	t.Logf("%d bytes to %d, in %d runs", full, c.Bytes(t), c.Runs)
}

// TestManyHostsOfAnAddress: hosts that cannot be asked, for their address is, are not written again in
// each run; all have their turn.
func TestManyHostsOfAnAddress(t *testing.T) {
	c := newCrawl(t)
	const hosts = 1000
	c.run(func(s *State) {
		for h := range hosts {
			c.add(s, 0, fmt.Sprintf("http://h%d.one.test/", h))
		}
	})
	out, changed := 0, 0
	for out < hosts && c.Runs < 1000 {
		c.run(func(s *State) {
			out += len(c.compose(s, Plan{Longest: 3 * time.Second, Most: 1000, PerAddress: 100 * time.Millisecond}))
			changed += len(s.order)
		})
		c.now = c.now.Add(2500 * time.Millisecond) // a batch of a second, and what a run costs
	}
	if out != hosts || changed > 4*hosts {
		t.Errorf("%d of %d hosts had their turn, %d times a host was looked at, in %d runs", out, hosts, changed,
			c.Runs)
	}
	t.Logf("%d times a host was looked at, in %d runs", changed, c.Runs)
}

// TestMostServed: a batch has to do with a bounded number of hosts, and the next ones with the others.
func TestMostServed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	c := newCrawl(t)
	plan := Plan{Longest: 3 * time.Second, Most: 1000, PerAddress: 100 * time.Millisecond}
	c.run(func(s *State) {
		for h := range mostServed + 100 {
			c.add(s, 0, fmt.Sprintf("http://h%d.one.test/", h))
		}
	})
	c.run(func(s *State) { c.add(s, 1, "http://other.test/") })
	c.run(func(s *State) {
		if urls := c.compose(s, plan); len(urls) == 0 || len(s.order) > mostServed {
			t.Errorf("%d URLs of %d hosts", len(urls), len(s.order))
		}
		if at, ok, err := s.Wake(); !ok || err != nil || !at.Equal(c.now) {
			t.Errorf("wake at %v, %v, %v; want at once", at, ok, err)
		}
	})
	c.run(func(s *State) {
		if urls := c.compose(s, plan); !slices.Contains(urls, "http://other.test/") || len(s.order) > mostServed {
			t.Errorf("%d URLs of %d hosts, without the one of another address", len(urls), len(s.order))
		}
	})
}
