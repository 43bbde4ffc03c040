package bandwidth

import "time"

// A Rule says how a Table learns; fetch uses Defaults. The values of the paper are not known (they
// are missing in the copy that was available). These values and the constants below were chosen
// before the first run of the experiment. (Only the rule changed after it. At first the weight of a
// download grew with its length in seconds, and an unknown server started at the rate of the mean
// server. Then slow servers were learned before fast ones, and the first guesses of a new crawl
// stayed in the entries, so the sum was wrong for minutes.)
type Rule struct {
	// Gain (K_E in the paper) is how far a download of usual length moves the estimate for its hour
	// towards its own rate. With 0.3 about the last five downloads determine the estimate. This is
	// enough to smooth random differences, and few enough to follow a change. With 0 nothing is
	// learned.
	Gain float64
	// Prior is the rate of the mean server before the first measure, as a share of the limit:
	// the very first run begins with 1/Prior downloads, which is too few rather than too many.
	Prior float64
	// If Alike is set, every download has the same weight, whatever its length, as in the paper.
	Alike bool
}

// Defaults returns the Rule that fetch uses.
func Defaults() Rule { return Rule{Gain: 0.3, Prior: 1. / 8} }

const (
	// The mean server learns meanSlower times as slowly as other servers, because it learns from
	// every download.
	meanSlower = 30
	// mostLengths is the maximum weight of a long download, in downloads of usual length. Without
	// it, a server that sends a byte a second would determine the rate of the mean server.
	mostLengths = 16
	// sigma is the width of the Gaussian in time: a measurement at one time of day has less weight
	// for another time, the farther away it is. At a distance of one hour the weight is exp(-1/2) =
	// 0.61.
	sigma = time.Hour
	// check is how long the first request of the queue is skipped before it starts on credit.
	check = time.Second
	// share is the maximum share of the limit that is kept free while a credit is paid back.
	share = 1. / 8
	// period is the interval at which Connections measures the rate and changes its number.
	period = 2 * time.Second
	// step is the share of the difference to the computed number by which Connections changes its
	// number at once.
	step = 0.5
)

// Tick is the interval after which a control that has refused is asked again, because its answer
// may change with time.
const Tick = 100 * time.Millisecond
