package main

import (
	"math/bits"
	"slices"
)

// topical is a web whose pages have topics. It keeps nothing but its parameters and words: what a
// page is, says and links follows from the seed and the page's number.
//
// The pages are numbered through, host by host. The hosts and their topics do not depend on how
// many pages there are, so that a larger web of the same seed holds the hosts of a smaller one.
type topical struct {
	topicalFile
	seed   uint64
	topics []string  // in order of name, foreign among them
	until  []float64 // the cumulated shares of the topics, up to 1
	words  map[string][]string
}

const foreign = "foreign" // the topic of all pages that are not English

// spot is where a page is; host -1 is that of the portals.
type spot struct{ host, i int }

const portalHost = -1

// hostSizes are the sizes of eight hosts in a row, in quarters of the mean.
var hostSizes = [8]int{1, 2, 2, 3, 4, 4, 5, 11}

// start is the number of the first page of a host.
func (w *topical) start(host int) int {
	n := host / 8 * 32
	for _, size := range hostSizes[:host%8] {
		n += size
	}
	return n * w.HostPages / 4
}

// spot is where page number n is.
func (w *topical) spot(n int) spot {
	block := 8 * w.HostPages
	host := n / block * 8
	for w.start(host+1) <= n {
		host++
	}
	return spot{host, n - w.start(host)}
}

// hosts is the number of hosts, that of the portals left out.
func (w *topical) hosts() int { return w.spot(w.Pages-1).host + 1 }

// pagesOf is the number of pages of a host.
func (w *topical) pagesOf(host int) int {
	return min(w.start(host+1), w.Pages) - w.start(host)
}

// dead tells whether a host never answers.
func (w *topical) dead(host int) bool {
	return host != portalHost && w.dice(streamHost, host).chance(w.DeadHosts)
}

// golden is 2^64 divided by the golden ratio: its multiples fill the circle evenly, however many
// of them are taken. So the hosts of any web have topics in the shares that are asked for.
const golden = 0x9e3779b97f4a7c15

// hostTopic is the main topic of a host.
func (w *topical) hostTopic(host int) int {
	at := uint64(host)*golden + bits.Reverse64(w.seed)
	return w.topicAt(float64(at>>11) / (1 << 53))
}

// topicAt is the topic at a point of the shares, 0 to 1.
func (w *topical) topicAt(x float64) int {
	for t, until := range w.until {
		if x < until {
			return t
		}
	}
	return len(w.until) - 1
}

// The streams of random numbers: each has its own, so that what a page says does not depend on
// how its links are drawn.
const (
	streamHost = iota
	streamPage
	streamLinks
	streamText
)

func (w *topical) dice(stream uint64, n int) *dice {
	return shape{seed: w.seed<<3 | stream}.dice(0, n)
}

// chance is true with probability p.
func (d *dice) chance(p float64) bool { return d.point() < p }

// point is a number from 0 to 1, 1 left out.
func (d *dice) point() float64 { return float64(d.Uint64()>>11) / (1 << 53) }

// topicalPage is what there is to know of a page but its links and text.
type topicalPage struct {
	spot
	n        int // its number
	topic    int
	kind     string
	language string
}

// The kinds of topical pages.
const (
	topicalText     = "page"     // of its topic
	topicalNoTopic  = "no-topic" // nothing but general words
	topicalShort    = "short"    // few terms
	topicalNoText   = "no-text"  // no term at all
	topicalRedirect = "redirect" // 301
	topicalGone     = "gone"     // 404
	topicalDead     = "dead"     // its host does not answer
	topicalPortal   = "portal"   // general words, and links to anything
)

// page is page number n, which may be beyond the web's last.
func (w *topical) page(n int) topicalPage {
	p := topicalPage{spot: w.spot(n), n: n, language: "en"}
	d := w.dice(streamPage, n)
	p.topic = w.hostTopic(p.host)
	if !d.chance(w.HostPurity) {
		p.topic = w.topicAt(d.point())
	}
	p.kind = w.kindAt(d.point())
	if w.dead(p.host) {
		p.kind = topicalDead
	}
	if w.topics[p.topic] == foreign {
		p.language = w.Languages[w.dice(streamHost, p.host).roll(len(w.Languages))]
	}
	return p
}

// kindAt is the kind at a point of their shares, 0 to 1.
func (w *topical) kindAt(x float64) string {
	for _, share := range []struct {
		kind string
		of   float64
	}{
		{topicalRedirect, w.Redirects}, {topicalGone, w.Gone}, {topicalNoText, w.NoText},
		{topicalShort, w.Short}, {topicalNoTopic, w.NoTopic},
	} {
		if x < share.of {
			return share.kind
		}
		x -= share.of
	}
	return topicalText
}

// portal is portal number i.
func (w *topical) portal(i int) topicalPage {
	return topicalPage{spot: spot{portalHost, i}, n: -1 - i, kind: topicalPortal, language: "en", topic: -1}
}

// at is the page at a spot.
func (w *topical) at(s spot) topicalPage {
	if s.host == portalHost {
		return w.portal(s.i)
	}
	return w.page(w.start(s.host) + s.i)
}

// topicName is the topic of p, "-" of a portal.
func (w *topical) topicName(p topicalPage) string {
	if p.topic < 0 {
		return "-"
	}
	return w.topics[p.topic]
}

// newTopical is the web of a file's parameters.
func newTopical(f topicalFile, seed uint64) (*topical, error) {
	w := &topical{topicalFile: f, seed: seed, words: topicalWords()}
	if err := f.check(w.words); err != nil {
		return nil, err
	}
	total := 0.0
	for topic, size := range f.Sizes {
		w.topics = append(w.topics, topic)
		total += size
	}
	slices.Sort(w.topics)
	sum := 0.0
	for _, topic := range w.topics {
		sum += f.Sizes[topic]
		w.until = append(w.until, sum/total)
	}
	return w, nil
}
