package waiting

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/traffic/visits"
)

// A spender is a crawl with budgets, and what a model of it knows.
type spender struct {
	*crawl
	waits    map[string]int // URLs, 1 if they wait
	out      [][]string     // batches that are not back
	answered map[string]int // by host, and by domain
	bytes    map[string]int
	over     int // URLs that left over a budget
	finest   int // the most bytes of an answer
	loses    bool
}

func (c *spender) domain(host string) string { return host[strings.Index(host, ".")+1:] }

// spent tells whether the budget of a host or of its domain is spent.
func (c *spender) spent(host string) bool {
	is := func(name string, of Budget) bool {
		return of.Pages > 0 && c.answered[name] >= int(of.Pages) || of.Bytes > 0 && c.bytes[name] >= int(of.Bytes)
	}
	return is(host, c.rules.Host) || is(c.domain(host), c.rules.Domain)
}

// enter has a URL come in, where its budget allows.
func (c *spender) enter(s *State, url string) {
	c.t.Helper()
	rec, host := urlbatch.New(url), strings.Split(url, "/")[2]
	over, err := s.Over(rec)
	if err != nil || over != c.spent(host) {
		c.t.Fatalf("%s is over its budget: %v, %v; %d answers of the host, %d of the domain", url, over, err,
			c.answered[host], c.answered[c.domain(host)])
	}
	if over {
		c.over++
		return
	}
	c.add(s, uint8(len(url)%3), url)
	c.waits[url]++
}

// batch composes one and holds it against the model.
func (c *spender) batch(s *State, most int) (urls []string) {
	c.t.Helper()
	leave := func(url string) {
		if c.waits[url]--; c.waits[url] != 0 {
			c.t.Fatalf("%s leaves, and it waited %d times", url, c.waits[url]+1)
		}
		delete(c.waits, url)
	}
	urls = c.compose(s, Plan{Longest: 20 * time.Second, Most: most, Over: func(line []byte) error {
		if host := strings.Split(string(line), "/")[2]; !c.spent(host) {
			c.t.Fatalf("%s leaves as over its budget; %d answers of the host, %d of the domain", line, c.answered[host],
				c.answered[c.domain(host)])
		}
		c.over++
		leave(string(line))
		return nil
	}})
	for _, url := range urls {
		if c.spent(strings.Split(url, "/")[2]) {
			c.t.Fatalf("%s is handed out though it is over its budget", url)
		}
		leave(url)
	}
	if s.Waiting() != uint64(len(c.waits)) {
		c.t.Fatalf("%d URLs wait, the state says %d", len(c.waits), s.Waiting())
	}
	return urls
}

// fetch brings the oldest batch back: some URLs have an answer, some come in again.
func (c *spender) fetch(s *State, rnd *rand.Rand) {
	if len(c.out) == 0 {
		return
	}
	if c.loses && rnd.IntN(5) == 0 { // resolve refuses all
		c.out = c.out[1:]
		return
	}
	of, again := map[string]*visits.Visit{}, []string{}
	for _, url := range c.out[0] {
		host := strings.Split(url, "/")[2]
		v := of[host]
		if v == nil {
			v = &visits.Visit{Host: host, Pause: time.Second}
			of[host] = v
		}
		if rnd.IntN(4) == 0 {
			again = append(again, url)
			continue
		}
		v.Asked++
		v.Answered++
		n := 1 + rnd.IntN(c.finest)
		v.Bytes += int64(n)
		for _, name := range []string{host, c.domain(host)} {
			c.answered[name]++
			c.bytes[name] += n
			for _, of := range []Budget{c.rules.Host, c.rules.Domain} {
				if bound := int(of.Pages); bound > 0 && (name == host) == (of == c.rules.Host) &&
					c.answered[name] > bound {
					c.t.Fatalf("%s has %d pages, its budget %d", name, c.answered[name], bound)
				}
			}
		}
	}
	c.out = c.out[1:]
	for _, host := range slices.Sorted(maps.Keys(of)) {
		c.visit(s, *of[host])
	}
	for _, url := range again {
		c.enter(s, url)
	}
}

// TestBudgets has URLs come in, go out, have answers and come back in many runs, beside a model: no host
// or domain gets more than its budget, none leaves before that is spent, and each URL goes one way.
func TestBudgets(t *testing.T) {
	for name, rules := range map[string]Rules{
		"pages of a host":        {Host: Budget{Pages: 30}},
		"pages of a domain":      {Domain: Budget{Pages: 70}},
		"both":                   {Host: Budget{Pages: 30}, Domain: Budget{Pages: 70}},
		"bytes of a host":        {Host: Budget{Bytes: 30_000}},
		"all of a domain":        {Domain: Budget{Pages: 70, Bytes: 60_000}},
		"more than there is":     {Host: Budget{Pages: 1e6}, Domain: Budget{Bytes: 1e9}},
		"a single page":          {Host: Budget{Pages: 1}},
		"both, little memory":    {Host: Budget{Pages: 30}, Domain: Budget{Pages: 70}},
		"both, with links":       {Host: Budget{Pages: 30}, Domain: Budget{Pages: 70}},
		"both, with turns":       {Host: Budget{Pages: 30}, Domain: Budget{Pages: 70}, Explore: 0.5},
		"both, and lost batches": {Host: Budget{Pages: 30}, Domain: Budget{Pages: 70}},
	} {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			c := &spender{crawl: newCrawl(t), waits: map[string]int{}, answered: map[string]int{},
				bytes:  map[string]int{},
				finest: 2000}
			c.rules.Host, c.rules.Domain, c.rules.Explore = rules.Host, rules.Domain, rules.Explore
			switch name {
			case "both, little memory":
				c.most = 8_000
			case "both, with links":
				c.orderOf("backlink")
			case "both, and lost batches":
				c.loses = true
			}
			began, in := c.now, 0
			for run := 0; run < 60 || len(c.waits)+len(c.out) > 0; run++ {
				if run > 2000 {
					t.Fatalf("%d URLs still wait", len(c.waits))
				}
				c.run(func(s *State) {
					for range rnd.IntN(60) {
						if run < 60 {
							in++
							c.enter(s, fmt.Sprintf("http://h%d.d%d.test/%d", rnd.IntN(1+rnd.IntN(8)), rnd.IntN(3), in))
							c.link(s, fmt.Sprintf("http://h0.d0.test/%d\tknown=1\tvia=http://x.test/%d", rnd.IntN(1+in),
								in))
						}
					}
					for len(c.out) > 0 && (rnd.IntN(3) == 0 || len(c.out) > 1) {
						c.fetch(s, rnd)
					}
					if urls := c.batch(s, 1+rnd.IntN(60)); len(urls) > 0 {
						c.out = append(c.out, urls)
					}
				})
				c.now = c.now.Add(time.Duration(rnd.IntN(20)) * time.Second)
			}
			t.Logf("%d URLs, %d over, %v, %d answers of h0.d0, %d of d0, %d bytes of h0.d0", in, c.over,
				c.now.Sub(began),
				c.answered["h0.d0.test"], c.answered["d0.test"], c.bytes["h0.d0.test"])
			if want := name != "more than there is"; (c.over > 0) != want {
				t.Errorf("%d of %d URLs were over a budget", c.over, in)
			}
			if took := c.now.Sub(began); took > 16*time.Minute && c.over > 0 && !c.loses {
				t.Errorf("the crawl took %v", took)
			}
			if n := c.rules.Host.Pages; n == 30 && c.rules.Domain == (Budget{}) && c.answered["h0.d0.test"] != 30 {
				t.Errorf("a host has %d pages, its budget is 30", c.answered["h0.d0.test"])
			}
			if n := c.rules.Domain.Pages; n > 0 && rules.Domain.Bytes == 0 && c.answered["d0.test"] != int(n) {
				t.Errorf("a domain has %d pages, its budget is %d", c.answered["d0.test"], n)
			}
			for name, n := range c.bytes {
				if of := c.rules.Host.Bytes; of > 0 && strings.HasPrefix(name, "h") && n > int(of)+5*c.finest {
					t.Errorf("%s has %d bytes, its budget is %d", name, n, of)
				}
			}
		})
	}
}

// TestBudgetWaits: where the last pages of a budget are in a batch that does not come back, its host
// waits for that, is looked at a few times meanwhile, and then gets what is left.
func TestBudgetWaits(t *testing.T) {
	c := newCrawl(t)
	c.rules.Host.Pages = 6
	var batches []int
	var last time.Time
	began, runs := c.now, 0
	for len(batches) < 3 && runs < 100 {
		c.run(func(s *State) {
			s.Woken(time.UnixMilli(s.meta.wake))
			if runs++; runs == 1 {
				c.add(s, 0, urlsOf("a.test", 12)...)
			}
			if n := len(c.compose(s, Plan{Longest: time.Minute, Most: 100})); n > 0 {
				batches, last = append(batches, n), c.now
			}
			at, ok, err := s.Wake()
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			c.now = at
		})
	}
	if !slices.Equal(batches, []int{4, 2, 4}) || last.Sub(began) < 5*time.Minute || last.Sub(began) > 11*time.Minute ||
		runs > 16 {
		t.Errorf("%d runs, %d URLs, the last after %v", runs, batches, last.Sub(began))
	}
	t.Logf("%d runs, the last batch after %v", runs, last.Sub(began))
}

// TestBudgetAhead: while one batch is fetched the next is handed out, and the host does not pause for it
// before its budget is handed out.
func TestBudgetAhead(t *testing.T) {
	c := newCrawl(t)
	c.rules.Host.Pages = 200
	var out []int
	sum := 0
	for run := 0; sum < 200; run++ {
		c.run(func(s *State) {
			if run == 0 {
				c.visit(s, visits.Visit{Host: "a.test", Pause: time.Second})
				c.add(s, 0, urlsOf("a.test", 300)...)
			}
			if len(out) == 2 {
				c.visit(s, visits.Visit{Host: "a.test", Asked: int64(out[0]), Answered: int64(out[0]),
					Pause: time.Second})
				out = out[1:]
			}
			n := len(c.compose(s, Plan{Longest: 20 * time.Second, Most: 100}))
			out, sum = append(out, n), sum+n
			if n == 0 {
				t.Fatalf("batch %d has nothing; %d URLs were handed out", run, sum)
			}
		})
		c.now = c.now.Add(20 * time.Second)
	}
	if sum != 200 {
		t.Errorf("%d URLs were handed out, want 200", sum)
	}
}
