package bandwidth

import "time"

// Constants are the numbers of the controls. What the paper chose for its own is not known (they
// are lost in the copy that this was built from); these are ours, fixed before the experiment was
// run for the first time. (What changed after it is the rule that they serve: at first the weight
// of a download grew with its length in seconds, and a server that was not known yet was begun at
// the mean server's rate. Slow servers were learnt before quick ones then, and the first guesses of
// a cold crawl stayed in the entries, so the sum was wrong for minutes.)
type Constants struct {
	// Gain is how far a download of its server's usual length moves the estimate of the hour it
	// was made in towards its own rate: K_E of the paper. With 0.3 the last five or so tell: enough
	// to smooth one page's luck, few enough to follow a change.
	Gain float64
	// Alike lets every download weigh alike, whatever its length, as in the paper.
	Alike bool
	// Mean is how many times slower the mean server learns, which every download teaches.
	Mean float64
	// Most bounds the weight of a long download: it counts for no more than so many of usual
	// length. A server that sends a byte a second must not tell of all others.
	Most float64
	// Sigma is the width of the Gaussian in time: what is measured at one time of the day says
	// less of another, the farther it lies. At one hour's distance exp(-1/2) = 0.61 of it.
	Sigma time.Duration
	// Prior is the rate of the mean server before the first measure, as a share of the limit:
	// the very first run begins with 1/Prior downloads, which is too few rather than too many.
	Prior float64
	// Check is how long the first of the queue is passed over before it is started on credit.
	Check time.Duration
	// Share is the most of the limit that is kept free while a credit is paid back.
	Share float64
	// Period is how often Connections looks at the rate and changes its number, and the time
	// over which it measures.
	Period time.Duration
	// Step is how much of the way to the number that should be right Connections goes at once.
	Step float64
}

// Defaults are the constants that fetch works with.
func Defaults() Constants {
	return Constants{
		Gain:   0.3,
		Mean:   30,
		Most:   16,
		Sigma:  time.Hour,
		Prior:  1. / 8,
		Check:  time.Second,
		Share:  1. / 8,
		Period: 2 * time.Second,
		Step:   0.5,
	}
}

// Tick is how often a control that refuses is asked again: time alone may change its answer.
const Tick = 100 * time.Millisecond
