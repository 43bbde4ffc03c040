// Package order says which of the URLs that wait comes first: it gives each a band, from 0, the
// first, to 255. Bands are coarse, for a queue of a host in a band is what the state is made of
// (package waiting); within a band the oldest comes first.
//
// A band is of two parts: URLs that failed fewer times come before those that failed more often
// (Chakrabarti, van den Berg and Dom, Focused crawling, 1999, section 3.2, order by tries first),
// and those that failed as often go by one of 64 classes of what the order says. A URL that kept a
// run of fetch waiting counts as one that failed. A URL that a run gave back without a try is in the
// next better class: in its own class it would be behind all URLs that it was before.
//
// An order is a weighted sum of parts. Each part gives a URL a number from 0 to 1, 1 for those that
// are to come first; the weights are scaled to a sum of 1. The static parts go by the record of the
// URL and make its band when it comes in. The rising parts go by what comes in of it then and
// later, links to it or a better score, and lift it into better bands.
package order

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/learned"
	"multitext/stages/internal/run/keyed"
)

const (
	classes = 64
	tries   = 256 / classes
)

// An Order is what New returns.
type Order struct {
	static []weighted[static]
	rising []weighted[rising]
	counts bool
	cash   bool
	ranks  bool
	scored bool
	model  *learned.Model // nil: it has no part learned
}

// A static is a part of an order that a record gives.
type static func(rec *urlbatch.Record) float64

type weighted[part any] struct {
	weight float64 // of 1
	of     part
}

// Band is that of rec in the order o, as long as neither links to it nor a score is known.
func Band(o *Order, rec *urlbatch.Record) uint8 {
	failed := min(max(rec.Int(urlbatch.Tries), 0), tries-1)
	if failed == 0 && rec.Int(urlbatch.Cut) > 0 {
		failed = 1
	}
	class := o.class(rec)
	if rec.Int(urlbatch.Back) > 0 && class > 0 {
		class--
	}
	return uint8(failed)*classes + class
}

// Own is the band of rec by all that it says itself: it is Band, lifted by its score.
func Own(o *Order, rec *urlbatch.Record) uint8 {
	return o.Lift(Band(o, rec), Links{Score: Score(rec)})
}

// class is that of rec by the static parts.
func (o *Order) class(rec *urlbatch.Record) uint8 {
	sum := 0.0
	for _, p := range o.static {
		sum += p.weight * p.of(rec)
	}
	return uint8(math.Ceil((1-sum)*(classes-1) - rounding))
}

// rounding is more than the error of a sum, whose parts may be float32.
const rounding = 1e-5

// Rises tells whether the order has rising parts.
func (o *Order) Rises() bool { return len(o.rising) > 0 }

// Counts tells whether the order goes by links, which it must be told of.
func (o *Order) Counts() bool { return o.counts }

// Ranks tells whether the order goes by the ranks of the stage rank.
func (o *Order) Ranks() bool { return o.ranks }

// Cash tells whether the order goes by the cash of OPIC.
func (o *Order) Cash() bool { return o.cash }

// Scored tells whether the order goes by the attribute score=.
func (o *Order) Scored() bool { return o.scored }

// Model is what the order learns from judged pages, nil if it learns nothing.
func (o *Order) Model() *learned.Model { return o.model }

// Lift is the band of a URL with such links to it that has the band base without.
func (o *Order) Lift(base uint8, l Links) uint8 {
	sum := 0.0
	for _, p := range o.rising {
		sum += p.weight * p.of(l)
	}
	return base - min(uint8(sum*(classes-1)+rounding), base%classes)
}

// Halve is the band in which a URL is that has the band of the order band, with so many halvings of
// what the order gives it. It fails as often.
func Halve(band uint8, halvings int) uint8 {
	return band | (classes - 1) - (classes-1-band%classes)>>halvings
}

// New returns the order that text describes: parts, joined by commas, each a name that may have
// "=WEIGHT" behind it. hash makes the parts random and learned.
func New(text string, hash *keyed.Hash) (*Order, error) {
	o, total := &Order{}, 0.0
	statics := map[string]static{"breadth": breadth, "depth": depth, "random": random(hash), "learned": o.learned}
	risings := map[string]rising{"backlink": backlink, "backlink-others": others, "opic": opic, "score": score,
		"pagerank": score}
	for _, part := range strings.Split(text, ",") {
		name, weight, err := parse(part)
		if err != nil {
			return nil, err
		}
		total += weight
		o.cash = o.cash || name == "opic"
		o.ranks = o.ranks || name == "pagerank"
		o.counts = o.counts || risings[name] != nil && name != "score" && name != "pagerank"
		if name == "learned" && o.model == nil {
			o.model = learned.New(hash)
		}
		o.scored = o.scored || name == "score" || name == "pagerank"
		if s := statics[name]; s != nil {
			o.static = append(o.static, weighted[static]{weight, s})
		} else if r := risings[name]; r != nil {
			o.rising = append(o.rising, weighted[rising]{weight, r})
		} else {
			names := slices.AppendSeq(slices.Collect(maps.Keys(statics)), maps.Keys(risings))
			slices.Sort(names)
			return nil, fmt.Errorf("no order %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	for i := range o.static {
		o.static[i].weight /= total
	}
	for i := range o.rising {
		o.rising[i].weight /= total
	}
	return o, nil
}

// parse takes NAME or NAME=WEIGHT apart.
func parse(part string) (name string, weight float64, err error) {
	name, text, ok := strings.Cut(part, "=")
	if !ok {
		return name, 1, nil
	}
	weight, err = strconv.ParseFloat(text, 64)
	if err != nil || !(weight > 0 && weight <= 1e6) {
		return "", 0, fmt.Errorf("%s has the weight %q, which should be a number above 0, and at most a million",
			name, text)
	}
	return name, weight, nil
}

// logOdds is where the scale of the part learned ends, above and below even odds.
const logOdds = 6

// learned has those first whose pages are expected to be worth most: 0 for log-odds of -6 (one page
// of 400 is wanted), 1 for 6. It is not the probability, for then all would be in one class where
// few pages are wanted.
func (o *Order) learned(rec *urlbatch.Record) float64 {
	return min(max(0.5+o.model.Predict(rec)/(2*logOdds), 0), 1)
}

// breadth has those first that are fewest links from a seed.
func breadth(rec *urlbatch.Record) float64 { return 1 - depth(rec) }

// depth has those first that are most links from a seed, as far as 63.
func depth(rec *urlbatch.Record) float64 {
	return float64(min(max(rec.Int(urlbatch.Depth), 0), classes-1)) / (classes - 1)
}

// random is an order that chance makes, the same for the same hash.
func random(hash *keyed.Hash) static {
	return func(rec *urlbatch.Record) float64 {
		return float64(hash.Sum(rec.URLBytes())%classes) / (classes - 1)
	}
}
