package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// start serves a site on loopback; every name leads to it.
func start(t *testing.T, s site, f faults) (*server, *http.Client) {
	t.Helper()
	return startWith(t, s, &options{faults: f, listen: []string{"127.0.0.1:0"}})
}

// startWith serves a site under options; every name leads to the first address.
func startWith(t *testing.T, s site, o *options) (*server, *http.Client) {
	t.Helper()
	srv := newServer(s, o, newLedger())
	lns, err := listen(o.listen)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- srv.serveOn(ctx, lns, func() { close(ready) }) }()
	<-ready
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", srv.addresses[0])
	}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return srv, client
}

// naive is a crawler that shares nothing with the web but the wire: it reads a parse
// tree, and resolves by net/url.
type naive struct {
	t      *testing.T
	client *http.Client
	robots map[string]string
	seen   map[string]bool
}

func (n *naive) get(u string) answer {
	n.t.Helper()
	resp, err := n.client.Get(u)
	if err != nil {
		n.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		n.t.Fatal(err)
	}
	return answer{status: resp.StatusCode, contentType: resp.Header.Get("Content-Type"),
		location: resp.Header.Get("Location"), body: body}
}

func (n *naive) crawl(seed string) {
	queue := []string{seed}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		if n.seen[u] {
			continue
		}
		n.seen[u] = true
		if !n.allowed(u) {
			continue
		}
		a := n.get(u)
		switch {
		case a.location != "":
			queue = append(queue, resolve(n.t, u, a.location, false)...)
		case a.status == http.StatusOK && strings.HasPrefix(a.contentType, "text/html"):
			queue = append(queue, hrefs(n.t, u, a)...)
		}
	}
}

func (n *naive) allowed(u string) bool {
	if n.robots == nil {
		return true
	}
	host := strings.SplitN(u, "/", 4)[2]
	if _, ok := n.robots[host]; !ok {
		n.robots[host] = ""
		if a := n.get("http://" + host + "/robots.txt"); a.status == http.StatusOK {
			n.robots[host] = string(a.body)
		}
	}
	return grobotstxt.AgentAllowed(n.robots[host], "naive", u)
}

// hrefs are the links of a page at u, in the order of its parse tree.
func hrefs(t *testing.T, u string, a answer) []string {
	t.Helper()
	text, err := charset.NewReader(bytes.NewReader(a.body), a.contentType)
	if err != nil {
		t.Fatal(err)
	}
	_, name, _ := charset.DetermineEncoding(a.body, a.contentType)
	tree, err := html.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	base, links := u, []string(nil)
	for n := range tree.Descendants() {
		for _, at := range n.Attr {
			switch {
			case n.Data == "base" && at.Key == "href":
				base = resolve(t, u, at.Val, false)[0]
			case at.Key == "href" || at.Key == "src":
				links = append(links, resolve(t, base, at.Val, name == "windows-1252")...)
			}
		}
	}
	return links
}

// resolve is the canonical URL of ref, or none when it is no http URL.
func resolve(t *testing.T, base, ref string, latin1 bool) []string {
	t.Helper()
	ref, _, _ = strings.Cut(strings.TrimSpace(ref), "#")
	path, query, ok := strings.Cut(ref, "?")
	if ok {
		query = strings.ReplaceAll(query, "é", map[bool]string{true: "%E9", false: "%C3%A9"}[latin1])
		ref = path + "?" + query
	}
	b, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	u, err := b.Parse(ref)
	if err != nil {
		t.Fatal(err)
	}
	if u.Scheme != "http" {
		return nil
	}
	u.Host = strings.TrimSuffix(strings.ToLower(u.Host), ":80")
	return []string{"http://" + u.Host + plainEscapes(u.RequestURI())}
}

// TestReachIsWhatACrawlerFinds compares the plan of the web with what a
// crawler reads off its pages.
func TestReachIsWhatACrawlerFinds(t *testing.T) {
	web := newSynthetic(shape{hosts: 6, pages: 130, seed: 7})
	want, err := web.reach([]string{"http://h002.test/"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	srv, client := start(t, web, newFaults())
	n := &naive{t, client, map[string]string{}, map[string]bool{}}
	n.crawl("http://h002.test/")

	got := slices.Sorted(maps.Keys(n.seen))
	if plan := slices.Sorted(maps.Keys(want.kinds)); !slices.Equal(got, plan) {
		t.Errorf("in one list only: %v", differences(got, plan))
	}
	s := srv.ledger.stats()
	for u, have := range s.URLs {
		if k := want.kinds[u]; have.Count != 1 || k != have.Kind && have.Kind != kindRobots {
			t.Errorf("%s: fetched %d times as %s, planned as %q", u, have.Count, have.Kind, k)
		}
	}
	if s.Kinds[kindPage].Distinct != 6*130 {
		t.Errorf("%d pages are reachable, want all 780", s.Kinds[kindPage].Distinct)
	}
	if s.Violations != 0 || s.Kinds[kindForbidden].Distinct != 0 {
		t.Errorf("robots.txt and the counts disagree: %d violations", s.Violations)
	}
}

// TestACrawlerWithoutRobotsIsSeen is the other side of the test above.
func TestACrawlerWithoutRobotsIsSeen(t *testing.T) {
	web := newSynthetic(shape{hosts: 4, pages: 60, seed: 7})
	want, err := web.reach([]string{"http://h000.test/"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	forbidden := 0
	for _, k := range want.kinds {
		if k == kindForbidden {
			forbidden++
		}
	}
	srv, client := start(t, web, newFaults())
	(&naive{t, client, nil, map[string]bool{}}).crawl("http://h000.test/")
	if s := srv.ledger.stats(); s.Violations != forbidden || forbidden == 0 {
		t.Errorf("%d violations are counted, want %d", s.Violations, forbidden)
	}
}

func TestReachLeavesOutTheDead(t *testing.T) {
	web := newSynthetic(shape{hosts: 3, pages: 40, seed: 1})
	r, err := web.reach([]string{"http://h000.test/"}, map[string]bool{"h001.test": true})
	if err != nil {
		t.Fatal(err)
	}
	pages, dead := 0, 0
	for u, k := range r.kinds {
		switch {
		case strings.HasPrefix(u, "http://h001.test") != (k == kindDead):
			t.Errorf("%s is %s", u, k)
		case k == kindDead:
			dead++
		case k == kindPage:
			pages++
		}
	}
	if pages != 80 || dead == 0 {
		t.Errorf("%d pages and %d dead addresses, want 80 and some", pages, dead)
	}
}

func TestReachOutput(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"-reach", "-hosts", "2", "-pages", "30", "http://H001.test:80/"}, &out,
		&errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	const want = `duplicate  6
forbidden  2
nonhtml    12
notfound   4
page       60
redirect   14
bodies     66
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func differences(a, b []string) []string {
	var d []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			d = append(d, "+"+s)
		}
	}
	for _, s := range b {
		if !slices.Contains(a, s) {
			d = append(d, "-"+s)
		}
	}
	return d[:min(len(d), 20)]
}
