package waiting

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
)

// orderOf sets the order of the runs from now on.
func (c *crawl) orderOf(text string) *order.Order {
	c.t.Helper()
	by, err := order.New(text, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.rules.Links = nil; by.Rises() {
		c.rules.Links = by
	}
	return by
}

// parse returns the record of a line.
func (c *crawl) parse(line string) *urlbatch.Record {
	c.t.Helper()
	rec, err := urlbatch.Parse([]byte(line))
	if err != nil {
		c.t.Fatal(err)
	}
	return rec
}

func (c *crawl) link(s *State, line string) {
	c.t.Helper()
	if err := s.Link(c.parse(line)); err != nil {
		c.t.Fatal(err)
	}
}

// each calls see with all standings of the committed state.
func (c *crawl) each(s *State, see func(*standing)) {
	c.t.Helper()
	walk := s.set.Cursor()
	for {
		key, value, ok, err := walk.Next()
		if err == nil && ok {
			err = Verify(key, value)
		}
		if err != nil {
			c.t.Fatal(err)
		}
		if !ok {
			return
		}
		if isURL(key) {
			t := &standing{}
			if err := t.unpack(value); err != nil {
				c.t.Fatal(err)
			}
			see(t)
		}
	}
}

// hosts are those of the committed state.
func (c *crawl) hosts(s *State) (all []Host) {
	c.t.Helper()
	err := s.Hosts(c.t.Context(), func(h *Host) error {
		all = append(all, *h)
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

// A model is what must be, reckoned for each URL by itself.
type model struct {
	by    *order.Order
	urls  []string // that ever came in
	lines map[string]string
	base  map[string]uint8
	links map[string]order.Links
	waits map[string]map[string]bool // by host
	seeds float64
	run   [][2]string // pages and what they link to, that came in in this run
}

func (m *model) host(url string) string { return strings.Split(url, "/")[2] }

// link counts links of a page to a URL as the state should.
func (m *model) link(url, page string, score float32, times uint64) {
	m.score(url, score)
	if page == "" || page == url {
		return
	}
	l := m.links[url]
	l.All += times
	if m.host(url) != m.host(page) {
		l.Others += times // hosts hN.test are domains
	}
	m.links[url] = l
	m.run = append(m.run, [2]string{page, url})
}

// score notes the score of a record.
func (m *model) score(url string, score float32) {
	if l := m.links[url]; m.by.Scored() {
		l.Score = max(l.Score, score)
		m.links[url] = l
	}
}

// pass passes the cash of the pages whose links came in this run on to those.
func (m *model) pass() {
	parts, share := map[string]float64{}, map[string]float64{}
	add := func(url string, cash float64) {
		l := m.links[url]
		l.Cash += cash
		m.links[url] = l
	}
	for _, link := range m.run {
		parts[link[0]]++
	}
	for page, n := range parts {
		share[page] = m.links[page].Cash / n
		add(page, -m.links[page].Cash)
	}
	for _, link := range m.run {
		add(link[1], share[link[0]])
	}
	m.run = nil
}

// band is the one in which a URL should wait.
func (m *model) band(url string) uint8 { return m.by.Lift(m.base[url], m.links[url]) }

// TestRises has URLs come in, be linked to, go out and come back in many runs, beside a model: each
// goes out once each time that it came in, as it came in, and none while another one of its host
// waits that has more links by a class.
func TestRises(t *testing.T) {
	for _, text := range []string{"backlink", "backlink-others", "backlink=0.7,score=0.3", "opic", "pagerank",
		"score,breadth"} {
		t.Run(text, func(t *testing.T) {
			c := newCrawl(t)
			m := &model{by: c.orderOf(text), lines: map[string]string{}, base: map[string]uint8{},
				links: map[string]order.Links{}, waits: map[string]map[string]bool{}}
			rnd, out, rose := rand.New(rand.NewPCG(1, 1)), 0, uint64(0)
			if !m.by.Cash() { // which goes by what comes in together
				c.most = 20_000
			}
			for run := 0; run < 50 || out > 0; run++ {
				c.run(func(s *State) {
					cash := 0.0
					c.each(s, func(t *standing) { cash += t.links.Cash })
					if m.by.Cash() && math.Abs(cash-m.seeds) > 1e-9*m.seeds {
						t.Fatalf("run %d: %v seeds, and a cash of %v", run, m.seeds, cash)
					}
					for _, h := range c.hosts(s) {
						if n := uint64(len(m.waits[h.Name])); h.Waiting != n {
							t.Fatalf("run %d: %d URLs of %s wait, %d are shown", run, n, h.Name, h.Waiting)
						}
					}
					if run < 50 {
						m.feed(c, s, rnd)
					}
					rose = max(rose, s.meta.stale)
					m.handOut(c, s, 1+rnd.IntN(60))
					out = int(s.Waiting() + s.meta.stale)
				})
				c.now = c.now.Add(time.Duration(rnd.IntN(90)) * time.Second)
				if run > 3000 {
					t.Fatalf("%d records are still in queues", out)
				}
			}
			for host, urls := range m.waits {
				if len(urls) > 0 {
					t.Errorf("%s: %d URLs never went out", host, len(urls))
				}
			}
			if rose == 0 {
				t.Error("no URL was lifted, so the test shows nothing")
			}
		})
	}
}

// feed has new URLs, URLs that come back, and links to known ones come in.
func (m *model) feed(c *crawl, s *State, rnd *rand.Rand) {
	any := func() string {
		if len(m.urls) == 0 || rnd.IntN(20) == 0 {
			return ""
		}
		return m.urls[len(m.urls)-1-int(float64(len(m.urls))*rnd.Float64()*rnd.Float64())]
	}
	fetched := func() string { // a page whose links may come in
		url := any()
		if url != "" && m.waits[m.host(url)][url] {
			return ""
		}
		return url
	}
	enter := func(line string) {
		rec := c.parse(line)
		url := rec.URL()
		m.lines[url], m.base[url] = line, order.Band(m.by, rec)
		m.score(url, order.Score(rec))
		if m.waits[m.host(url)] == nil {
			m.waits[m.host(url)] = map[string]bool{}
		}
		m.waits[m.host(url)][url] = true
		if ok, err := s.Add(rec, m.base[url]); !ok || err != nil {
			c.t.Fatal(ok, err)
		}
	}
	for range rnd.IntN(60) {
		url := fmt.Sprintf("http://h%d.test/%d", rnd.IntN(1+rnd.IntN(20)), len(m.urls))
		line := fmt.Sprintf("%s\tdepth=%d\tscore=0.%d", url, rnd.IntN(5), rnd.IntN(10))
		if page := fetched(); page != "" {
			times := uint64(1 + len(m.urls)%3) // another crawler has summed them up
			line += fmt.Sprintf("\tvia=%s\tinlinks=%d", page, times)
			m.link(url, page, 0, times)
		} else {
			m.seeds++
			m.links[url] = order.Links{Cash: 1}
		}
		m.urls = append(m.urls, url)
		enter(line)
	}
	for range rnd.IntN(300) {
		url, page := any(), fetched()
		if url == "" {
			continue
		}
		line := url + "\tknown=1"
		if page != "" {
			line += "\tvia=" + page
		}
		times := uint64(1)
		if n := len(m.run); n%4 == 0 {
			times += uint64(n % 9)
			line += fmt.Sprintf("\tinlinks=%d", times)
		}
		score := rnd.Float32() * rnd.Float32() * rnd.Float32()
		m.link(url, page, score, times)
		c.link(s, fmt.Sprintf("%s\tscore=%v", line, score))
	}
	m.pass()
	for range rnd.IntN(10) {
		if url := any(); url != "" && !m.waits[m.host(url)][url] {
			enter(fmt.Sprintf("%s\tdepth=9\ttries=%d\tvia=http://h0.test/0", url, rnd.IntN(3)))
		} else if url != "" && rnd.IntN(4) == 0 {
			enter(m.lines[url] + "\tvisit=1") // one that waits comes in once more
		}
	}
}

// handOut composes a batch and holds each of its URLs against the model.
func (m *model) handOut(c *crawl, s *State, most int) {
	for _, line := range c.compose(s, Plan{Longest: time.Minute, Most: most}) {
		url, _, _ := strings.Cut(line, "\t")
		waits := m.waits[m.host(url)]
		if !waits[url] {
			c.t.Fatalf("%q goes out, and does not wait", line)
		}
		if line != m.lines[url] {
			c.t.Fatalf("%q goes out, and came in as %q", line, m.lines[url])
		}
		for other := range waits {
			if m.band(other) < m.band(url) {
				c.t.Fatalf("%s goes out with %+v, and %s waits with %+v", url, m.links[url], other, m.links[other])
			}
		}
		delete(waits, url)
	}
	waiting := 0
	for _, urls := range m.waits {
		waiting += len(urls)
	}
	if s.Waiting() != uint64(waiting) {
		c.t.Fatalf("the state says that %d URLs wait, %d do", s.Waiting(), waiting)
	}
}

// TestSmallGraph crawls one by one, page for page, what s → a b c, a → c d, b → c d e, c → e is.
func TestSmallGraph(t *testing.T) {
	graph := map[string]string{"s": "abc", "a": "cd", "b": "cde", "c": "e"}
	for text, want := range map[string]string{
		"breadth": "sabcde",
		// s gives a, b and c one link each, and a is the oldest. a gives c its second, and d one. c
		// gives e one. Then b, d and e have one each. b gives d and e their second.
		"backlink": "sacbde",
		// s has 1 and gives a, b and c 1/3. a gives c and d 1/6: c has 1/2. c gives all that to e,
		// which has more than b with 1/3 and d with 1/6.
		"opic": "sacebd",
	} {
		c, seen, got := newCrawl(t), map[rune]bool{'s': true}, ""
		by := c.orderOf(text)
		url := func(page rune) string { return "http://a.test/" + string(page) }
		c.run(func(s *State) {
			rec := c.parse(url('s'))
			if _, err := s.Add(rec, order.Band(by, rec)); err != nil {
				t.Fatal(err)
			}
		})
		for range 10 {
			c.run(func(s *State) {
				if got != "" {
					page := rune(got[len(got)-1])
					for _, to := range graph[string(page)] {
						rec := c.parse(fmt.Sprintf("%s\tdepth=%d\tvia=%s", url(to), 1+strings.Count("bc", string(page)),
							url(page)))
						if seen[to] {
							c.link(s, string(rec.Line()))
						} else if _, err := s.Add(rec, order.Band(by, rec)); err != nil {
							t.Fatal(err)
						}
						seen[to] = true
					}
				}
				for _, line := range c.compose(s, Plan{Longest: time.Hour, Most: 1}) {
					got += line[len("http://a.test/"):][:1]
				}
			})
			c.now = c.now.Add(time.Hour)
		}
		if got[:6] != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestOthers: many links from the own domain are none to backlink-others, and those from the page
// itself are none at all. What comes in together with links is put into its band at once.
func TestOthers(t *testing.T) {
	for text, want := range map[string]string{"backlink": "http://x.test/1", "backlink-others": "http://x.test/2"} {
		c := newCrawl(t)
		c.orderOf(text)
		c.run(func(s *State) {
			c.add(s, 63, "http://x.test/1", "http://x.test/2", "http://x.test/a%20b")
			for page := range 3 {
				c.link(s, fmt.Sprintf("http://x.test/1\tvia=http://www.x.test/%d", page))
			}
			c.link(s, "http://x.test/2\tvia=http://y.test/")
			for range 9 {
				c.link(s, "http://x.test/a%20b\tvia=http://x.test/a%2520b")
			}
		})
		c.run(func(s *State) {
			urls := c.compose(s, Plan{Longest: time.Minute, Most: 1})
			if len(urls) != 1 || urls[0] != want || s.meta.stale != 0 {
				t.Errorf("%s: %q, want %s; %d are stale", text, urls, want, s.meta.stale)
			}
		})
	}
}

// TestOrderChanged has orders that go by links and such that do not follow each other: each URL goes
// out once each time that it came in.
func TestOrderChanged(t *testing.T) {
	for seed := range uint64(3) {
		rnd, c := rand.New(rand.NewPCG(seed, 9)), newCrawl(t)
		by, n, waits := c.orderOf("breadth"), 0, map[string]bool{}
		for run := 0; run < 200 && (run < 60 || len(waits) > 0); run++ {
			if run > 0 && run%10 == 0 && run < 60 {
				by = c.orderOf([]string{"backlink", "depth", "opic", "breadth", "backlink,score"}[run/10-1])
			}
			c.run(func(s *State) {
				for range rnd.IntN(50) {
					if run >= 60 {
						break
					}
					url := fmt.Sprintf("http://h%d.test/%d", rnd.IntN(5), n)
					if n++; n > 1 && rnd.IntN(10) == 0 {
						url = fmt.Sprintf("http://h%d.test/%d", rnd.IntN(5), rnd.IntN(n)) // perhaps one that went out
					}
					if waits[url] {
						continue
					}
					waits[url] = true
					rec := c.parse(fmt.Sprintf("%s\tdepth=%d\tvia=http://h1.test/%d", url, rnd.IntN(9), rnd.IntN(n)))
					if _, err := s.Add(rec, order.Band(by, rec)); err != nil {
						t.Fatal(err)
					}
				}
				for range rnd.IntN(200) {
					c.link(s, fmt.Sprintf("http://h%d.test/%d\tvia=http://h1.test/%d", rnd.IntN(5), rnd.IntN(n+1),
						rnd.IntN(n+1)))
				}
				for _, line := range c.compose(s, Plan{Longest: time.Minute, Most: 40}) {
					url, _, _ := strings.Cut(line, "\t")
					if !waits[url] {
						t.Fatalf("run %d: %s goes out, and does not wait", run, url)
					}
					delete(waits, url)
				}
				if s.Waiting() != uint64(len(waits)) {
					t.Fatalf("run %d: the state says that %d URLs wait, %d do", run, s.Waiting(), len(waits))
				}
			})
			c.now = c.now.Add(time.Minute)
		}
		if len(waits) > 0 {
			t.Errorf("%d URLs never went out", len(waits))
		}
	}
}

// TestTwiceBefore: a URL that waits since before links were counted, and comes in once more, goes out
// once, and the numbers agree then.
func TestTwiceBefore(t *testing.T) {
	c, got := newCrawl(t), []string{}
	c.run(func(s *State) { c.add(s, 5, "http://a.test/1", "http://a.test/2") })
	c.orderOf("backlink")
	c.run(func(s *State) {
		if _, err := s.Add(c.parse("http://a.test/1\tvisit=1"), 63); err != nil {
			t.Fatal(err)
		}
	})
	for range 5 {
		c.run(func(s *State) { got = append(got, c.compose(s, Plan{Longest: time.Minute, Most: 1})...) })
		c.now = c.now.Add(time.Minute)
	}
	if want := []string{"http://a.test/2", "http://a.test/1\tvisit=1"}; !slices.Equal(got, want) {
		t.Errorf("went out: %q, want %q", got, want)
	}
	c.run(func(s *State) {
		if s.Waiting() != 0 || s.meta.stale != 0 {
			t.Errorf("%d wait, %d are stale", s.Waiting(), s.meta.stale)
		}
	})
}

// TestStandingGolden holds the bytes of the entry of a URL.
func TestStandingGolden(t *testing.T) {
	for want, of := range map[string]standing{
		"200000": {},
		"21030ac801ac0207": {mode: waits, band: 3, base: 10, at: 200,
			links: order.Links{All: 300, Others: 7}},
		"260100000000000000d03f":         {mode: gone, links: order.Links{All: 1, Cash: 0.25}},
		"253f3f000000000000000000f03f":   {mode: waits, band: 63, base: 63, links: order.Links{Cash: 1}},
		"2a00000000403f":                 {mode: gone, links: order.Links{Score: 0.75}},
		"2c0000000000000000d03f0000803f": {links: order.Links{Cash: 0.25, Score: 1}},
	} {
		b := of.pack(nil)
		var back standing
		if err := back.unpack(b); hex.EncodeToString(b) != want || err != nil || back != of {
			t.Errorf("%+v: %x, want %s; read back %+v, %v", of, b, want, back, err)
		}
		if v1 := slices.Clone(b); of.links.Score == 0 {
			v1[0] -= 1 << 4
			if err := back.unpack(v1); err != nil || back != of {
				t.Errorf("%x, of version 1: read back %+v, %v", v1, back, err)
			}
		}
		for _, bad := range [][]byte{b[:len(b)-1], append(slices.Clone(b), 0), append([]byte{b[0] + 1<<4}, b[1:]...),
			append([]byte{b[0] | 3}, b[1:]...)} {
			if Verify(urlKey(5, 5), bad) == nil {
				t.Errorf("%x is taken for the entry of a URL", bad)
			}
		}
	}
}

// TestStaticHasNoStandings: an order that does not go by links leaves none.
func TestStaticHasNoStandings(t *testing.T) {
	c := newCrawl(t)
	c.orderOf("breadth")
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("a.test", 10)...)
		c.link(s, "http://a.test/1\tvia=http://b.test/")
		c.compose(s, Plan{Longest: time.Minute, Most: 5})
	})
	c.run(func(s *State) {
		c.each(s, func(*standing) { t.Error("a URL has a standing") })
	})
	if files, _ := filepath.Glob(filepath.Join(c.Dir, "segment-*")); len(files) == 0 {
		t.Error("nothing was written")
	}
}

// TestStandingsHeld: of the URLs of a run with many links few have their standings in memory.
func TestStandingsHeld(t *testing.T) {
	c := newCrawl(t)
	c.orderOf("opic")
	c.most = 20_000
	c.run(func(s *State) {
		most := 0
		for i := range 3000 {
			rec := c.parse(fmt.Sprintf("http://a%d.test/%d\tvia=http://b.test/%d", i%7, i, i))
			if _, err := s.Add(rec, 0); err != nil {
				t.Fatal(err)
			}
			most = max(most, len(s.links.standings))
		}
		if bound := 2 * c.most / linkBytes; most > bound { // a link is of two URLs
			t.Errorf("%d standings are in memory, want at most %d", most, bound)
		}
	})
}

// TestHeldOnce: what is known of URLs counts once as held, however often links to them come; a simulation
// has many runs in one memory.
func TestHeldOnce(t *testing.T) {
	c := newCrawl(t)
	by := c.orderOf("backlink")
	c.run(func(s *State) {
		for _, url := range urlsOf("a.test", 100) {
			rec := c.parse(url)
			if _, err := s.Add(rec, order.Band(by, rec)); err != nil {
				t.Fatal(err)
			}
		}
		c.compose(s, Plan{Longest: time.Second, Most: 1})
		before := s.held
		for i := range 100 {
			c.link(s, fmt.Sprintf("http://a.test/new\tvia=http://b.test/%d", i))
			c.compose(s, Plan{Longest: time.Second, Most: 1})
		}
		if more := s.held - before; more < standingBytes || more > 10*standingBytes {
			t.Errorf("%d bytes more are held after 100 links to one URL", more)
		}
	})
}
