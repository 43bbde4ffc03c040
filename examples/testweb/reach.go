package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// reached is what a crawl that honours robots.txt comes upon: addresses by URL. Forbidden
// ones are among them, though a polite crawler does not fetch them.
type reached struct {
	kinds  map[string]kind
	bodies map[uint64]bool // hashes of the bodies of pages, duplicates and what is no HTML
}

// reach follows the links of w from the seeds. It reads the plan that the pages are written
// from, not their HTML.
func (w *synthetic) reach(seeds []string, dead map[string]bool) (*reached, error) {
	r := &reached{map[string]kind{}, map[uint64]bool{}}
	var queue []address
	for _, seed := range seeds {
		a, err := w.shape.parseURL(seed)
		if err != nil {
			return nil, err
		}
		queue = append(queue, a)
	}
	var buf []byte
	for len(queue) > 0 {
		a := queue[0]
		queue = queue[1:]
		if _, seen := r.kinds[w.shape.url(a)]; seen {
			continue
		}
		r.kinds[w.shape.url(a)] = a.kind()
		fault := w.shape.faultOf(a.host)
		switch {
		case fault != nil:
			r.kinds[w.shape.url(a)] = fault.kind()
			continue
		case dead[hostName(a.host)]:
			r.kinds[w.shape.url(a)] = kindDead
			continue
		case a.kind() == kindRedirect:
			queue = append(queue, w.shape.moved(a))
		case a.kind() == kindPage || a.kind() == kindDuplicate:
			for _, l := range w.linksOf(a) {
				queue = append(queue, l.to)
			}
		}
		if k := a.kind(); k == kindPage || k == kindDuplicate || k == kindNonHTML {
			buf = w.at(a, buf[:0]).body
			r.bodies[xxhash.Sum64(buf)] = true
		}
	}
	return r, nil
}

// linksOf are the links of a page or a copy.
func (w *synthetic) linksOf(a address) []link {
	switch a.role {
	case roleIndex:
		a.n = 0
	case roleMirror:
		a.host, a.n = (a.host+w.shape.hosts-1)%w.shape.hosts, 1
	}
	return w.shape.links(w.shape.dice(a.host, a.n), a.host, a.n)
}

// parseURL is the address of a URL, which must be one of this web.
func (s shape) parseURL(text string) (address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return address{}, fmt.Errorf("seed: %w", err)
	}
	host, known := s.hostNumber(hostOf(u.Host))
	a, found := s.find(host, u.RequestURI())
	if u.Scheme != "http" || !known || !found {
		return address{}, fmt.Errorf("seed %q is no URL of this web; want one as http://h000.test/", text)
	}
	return a, nil
}

// printReach prints how many addresses of each kind a crawl from the seeds
// finds, and how many distinct bodies are behind them, a line each; or,
// with -v, the addresses in order of URL, each with its kind behind a tab.
func printReach(stdout io.Writer, o *options) error {
	r, err := newSynthetic(o.shape).reach(o.reachSeeds, o.faults.dead)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(stdout)
	counts := map[kind]int{}
	for _, u := range slices.Sorted(maps.Keys(r.kinds)) {
		counts[r.kinds[u]]++
		if o.verbose {
			fmt.Fprintf(w, "%s\t%s\n", u, r.kinds[u])
		}
	}
	if !o.verbose {
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(w, "%-10s %d\n", k, counts[k])
		}
		fmt.Fprintf(w, "%-10s %d\n", "bodies", len(r.bodies))
	}
	return w.Flush()
}
