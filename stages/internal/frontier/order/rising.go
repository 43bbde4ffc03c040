package order

import (
	"math"
	"math/bits"

	"multitext/stages/internal/formats/urlbatch"
)

// Links is what is known of a URL from the links to it.
type Links struct {
	All    uint64  // from fetched pages
	Others uint64  // of those, the ones from pages of another registered domain
	Cash   float64 // of OPIC that it has
	Score  float32 // the greatest that a record of it had, from 0 to 1
}

// A rising is the part of an order that grows as links are found. It gives a number from 0 to 1, the
// greater the sooner. Where links are counted it changes when what it counts has doubled and not
// before, so that a URL does not often change its band.
type rising func(Links) float64

// doublings is the number of them from one link to the most that count.
const doublings = 20

// backlink has those first to which most fetched pages link (Cho, Garcia-Molina and Page, Efficient
// crawling through URL ordering, 1998, section 2.1, IB'(p)): 1/20 for one link, 2/20 for two and
// three, 3/20 for four to seven, up to 1 for half a million.
func backlink(l Links) float64 { return doubled(l.All) }

// others is backlink without the links from the URL's own registered domain, for those are what a
// site says of itself.
func others(l Links) float64 { return doubled(l.Others) }

func doubled(n uint64) float64 { return float64(min(bits.Len64(n), doublings)) / doublings }

// opic has those first that have most cash (Abiteboul, Preda and Cobena, Adaptive on-line page
// importance computation, 2003, section 3): 1 for a cash of 1 or more, 1/63 less for each halving.
func opic(l Links) float64 {
	if !(l.Cash > 0) {
		return 0
	}
	_, exp := math.Frexp(l.Cash) // cash is 2^(exp-1) or more, and less than 2^exp
	return float64(min(max(classes-1+exp-1, 0), classes-1)) / (classes - 1)
}

// score has those first with the greatest score that a record of the URL had. So a URL that several
// pages link to has the greatest of what they give it (Chakrabarti, van den Berg and Dom, Focused
// crawling, 1999: the soft focus rule). The order pagerank is the same: the
// stage rank gives URLs a score that goes by their PageRank.
func score(l Links) float64 { return float64(l.Score) }

// Score is the attribute score= of rec, a number from 0 to 1. One that is absent, or no number, is 0.
func Score(rec *urlbatch.Record) float32 { return float32(rec.Share(urlbatch.Score)) }
