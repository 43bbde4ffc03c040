package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// topicalTries bounds the search for a page of a topic. The rarest topic of a web that is worth a
// crawl is found with the first hundred.
const topicalTries = 4096

// links are the pages that p links, in the order of the page; of a redirect the one it leads to.
func (w *topical) links(p topicalPage) (to []spot) {
	switch p.kind {
	case topicalGone, topicalDead:
		return nil
	case topicalPortal:
		d := w.dice(streamLinks, p.n)
		for range w.PortalLinks {
			to = append(to, w.spot(d.roll(w.Pages)))
		}
		return to
	}
	d := w.dice(streamLinks, p.n)
	n := w.Links
	if p.kind == topicalRedirect {
		n = 1
	}
	for range n {
		to = append(to, w.link(d, p))
	}
	if p.kind != topicalRedirect {
		to = append(to, spot{portalHost, d.roll(w.Portals)})
	}
	return to
}

// link draws a link of p. First its topic: that of p with probability locality, else that of any
// page of the web. Then the page: of that topic, on p's host with probability same_host, if it has
// one. Where locality is 0 the topic of a link thus owes nothing to that of its page.
func (w *topical) link(d *dice, p topicalPage) spot {
	topic := p.topic
	if !d.chance(w.Locality) {
		topic = w.page(d.roll(w.Pages)).topic
	}
	if first, size := w.start(p.host), w.pagesOf(p.host); d.chance(w.SameHost) && size > 0 {
		for range 4 * size {
			if n := first + d.roll(size); w.page(n).topic == topic {
				return w.spot(n)
			}
		}
	}
	n := d.roll(w.Pages)
	for range topicalTries {
		if w.page(n).topic == topic {
			break
		}
		n = d.roll(w.Pages)
	}
	return w.spot(n)
}

func (s spot) hostName() string {
	if s.host == portalHost {
		return "portal.test"
	}
	return "c" + padded(s.host, 3) + ".test"
}

func (s spot) path() string { return "/" + padded(s.i, 5) + ".html" }

func (s spot) url() string { return "http://" + s.hostName() + s.path() }

// find is the page behind a host's name and a request target.
func (w *topical) find(name, target string) (topicalPage, bool) {
	host, known := w.hostNumber(name)
	i, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(target, "/"), ".html"))
	s := spot{host, i}
	if !known || err != nil || i < 0 || s.path() != target {
		return topicalPage{}, false
	}
	if host == portalHost {
		return w.portal(i), i < w.Portals
	}
	if i >= w.pagesOf(host) {
		return topicalPage{}, false
	}
	return w.at(s), true
}

// hostNumber is the host of a name.
func (w *topical) hostNumber(name string) (int, bool) {
	if name == (spot{portalHost, 0}).hostName() {
		return portalHost, true
	}
	digits, ok := strings.CutSuffix(strings.TrimPrefix(name, "c"), ".test")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 0 && n < w.hosts() && spot{n, 0}.hostName() == name
}

// printLinks prints the graph, a line for each page and portal: URL, status (0 of a dead host),
// kind, topic, language and, with blanks between, the URLs it links.
func (w *topical) printLinks(stdout io.Writer) error {
	out := bufio.NewWriter(stdout)
	fmt.Fprintln(out, "# url\tstatus\tkind\ttopic\tlanguage\tlinks")
	for i := range w.Portals {
		w.printPage(out, w.portal(i))
	}
	for n := range w.Pages {
		w.printPage(out, w.page(n))
	}
	return out.Flush()
}

func (w *topical) printPage(out *bufio.Writer, p topicalPage) {
	fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%s\t", p.url(), p.status(), p.kind, w.topicName(p), p.language)
	for i, to := range w.links(p) {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(to.url())
	}
	out.WriteByte('\n')
}

func (p topicalPage) status() int {
	switch p.kind {
	case topicalRedirect:
		return http.StatusMovedPermanently
	case topicalGone:
		return http.StatusNotFound
	case topicalDead:
		return 0
	}
	return http.StatusOK
}
