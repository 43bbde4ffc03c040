// Package order says which of the URLs that wait comes first: it gives each a band, from 0, the
// first, to 255. Bands are coarse, for a queue of a host in a band is what the state is made of
// (package waiting); within a band the oldest comes first.
//
// A band is of two parts: URLs that failed fewer times come before those that failed more often
// (Chakrabarti, van den Berg and Dom, Focused crawling, 1999, section 3.2, order by tries first), and
// those that failed as often go by one of 64 classes of what the order says. A URL that kept a run of
// fetch waiting counts as one that failed.
package order

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/keyed"
)

const (
	classes = 64
	tries   = 256 / classes
)

// An Order gives the class of a URL, from 0, the first, to 63.
type Order func(rec *urlbatch.Record) uint8

// Band is that of rec in the order o.
func Band(o Order, rec *urlbatch.Record) uint8 {
	failed := min(max(rec.Int(urlbatch.Tries), 0), tries-1)
	if failed == 0 && rec.Int(urlbatch.Cut) > 0 {
		failed = 1
	}
	return uint8(failed)*classes + o(rec)
}

// New returns the order of a name; hash makes the one of random.
func New(name string, hash *keyed.Hash) (Order, error) {
	orders := map[string]Order{"breadth": breadth, "depth": depth, "random": random(hash), "score": score}
	if o := orders[name]; o != nil {
		return o, nil
	}
	var names []string
	for name := range orders {
		names = append(names, name)
	}
	sort.Strings(names)
	return nil, fmt.Errorf("no order %q; there are %s", name, strings.Join(names, ", "))
}

// breadth has those first that are fewest links from a seed.
func breadth(rec *urlbatch.Record) uint8 {
	return uint8(min(max(rec.Int(urlbatch.Depth), 0), classes-1))
}

// depth has those first that are most links from a seed.
func depth(rec *urlbatch.Record) uint8 { return classes - 1 - breadth(rec) }

// random is an order that chance makes, the same for the same hash.
func random(hash *keyed.Hash) Order {
	return func(rec *urlbatch.Record) uint8 { return uint8(hash.Sum(rec.URLBytes()) % classes) }
}

// score has those first whose attribute score= is greatest. It is a number from 0 to 1; one that is
// absent, or no number, is 0.
func score(rec *urlbatch.Record) uint8 {
	text, _ := rec.Get(urlbatch.Score)
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || !(s > 0) {
		return classes - 1
	}
	return uint8(math.Ceil((1 - min(s, 1)) * (classes - 1)))
}
