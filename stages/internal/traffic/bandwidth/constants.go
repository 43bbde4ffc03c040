package bandwidth

import "time"

// A Rule is how a Table learns; Defaults is the one that fetch works with. What the paper chose is
// not known (its numbers are lost in the copy that this was built from); these and the constants
// below are ours, fixed before the experiment was run for the first time. (What changed after it is
// the rule that they serve: at first the weight of a download grew with its length in seconds, and
// a server that was not known yet was begun at the mean server's rate. Slow servers were learnt
// before quick ones then, and the first guesses of a cold crawl stayed in the entries, so the sum
// was wrong for minutes.)
type Rule struct {
	// Gain is how far a download of its server's usual length moves the estimate of the hour it
	// was made in towards its own rate: K_E of the paper. With 0.3 the last five or so tell: enough
	// to smooth one page's luck, few enough to follow a change. At 0 nothing is learnt.
	Gain float64
	// Prior is the rate of the mean server before the first measure, as a share of the limit:
	// the very first run begins with 1/Prior downloads, which is too few rather than too many.
	Prior float64
	// Alike lets every download weigh alike, whatever its length, as in the paper.
	Alike bool
}

// Defaults is the Rule that fetch works with.
func Defaults() Rule { return Rule{Gain: 0.3, Prior: 1. / 8} }

const (
	// meanSlower is by how many times the mean server learns slower, which every download teaches.
	meanSlower = 30
	// mostLengths bounds the weight of a long download: it counts for no more than so many of usual
	// length. A server that sends a byte a second must not tell of all others.
	mostLengths = 16
	// sigma is the width of the Gaussian in time: what is measured at one time of the day says
	// less of another, the farther it lies. At one hour's distance exp(-1/2) = 0.61 of it.
	sigma = time.Hour
	// check is how long the first of the queue is skipped before it is started on credit.
	check = time.Second
	// share is the most of the limit that is kept free while a credit is paid back.
	share = 1. / 8
	// period is how often Connections looks at the rate and changes its number, and the time
	// over which it measures.
	period = 2 * time.Second
	// step is how much of the way to the number that should be right Connections goes at once.
	step = 0.5
)

// Tick is how often a control that refuses is asked again: time alone may change its answer.
const Tick = 100 * time.Millisecond
