// Package bandwidth limits the rate of a crawl: it decides whether another download may start, and
// delays the reading of running downloads. It has no side effects except in Ceiling.Pace: methods
// that need the time get it as an argument.
//
// # Controls
//
// A Control decides for each possible request, in the order of the queue, whether it fits. There
// are four:
//
//   - Open lets every request start. With a Ceiling it is a plain throttle.
//   - OnOff starts requests only while the rate of the last second is below the limit. Diligenti,
//     Maggini, Pucci and Scarselli compare their predictor with this method ("Design of a crawler
//     with bounded bandwidth", WWW 2004).
//   - Connections keeps to the rate by changing the number of running downloads, as the Multitext
//     crawler did (thesis, section 3.2.3).
//   - Predictor is the method of that paper, described below.
//
// A Ceiling limits the reading, whichever control starts the downloads. It keeps the limit in every
// period of a second. The controls keep only the mean rate.
//
// # The predictor
//
// For each server address the Table keeps a rate for every hour of a working day and of a holiday
// (Saturday and Sunday, by the local clock): 48 values. The rate of a download is its bytes over
// the time from the request to the last byte. A download at time t with rate m moves the value b of
// each hour of that kind of day towards m. With h as the middle of the hour:
//
//	b += w/trust (m - b),   w = 1 - (1 - Gain·exp(-(t-h)²/2sigma²))^(length/usual)
//
// The paper has w = Gain·exp(…), with the name K_E for Gain: every download has the same weight.
// But the sum of the rates must predict bytes over time. A short page has a small rate, because
// most of its time is latency, and takes little of the total time, so its weight must be small.
// Otherwise servers are underestimated, and the crawl is too fast. So the weight grows with the
// length of a download, relative to the usual length for the server. Then fast and slow servers are
// learned at the same speed, and the sum is right while much is still unknown. A download never has
// more weight than 16 downloads of usual length. Rule.Alike selects the paper's way. Table
// describes how the values of few downloads are combined with those of all servers. Predictor
// describes how servers faster than the limit are handled.
//
// The crawler's bandwidth (CB in the paper) is the sum of the predicted rates of the running
// downloads. When a download ends, its rate is subtracted. Then the first MaxD requests of the
// queue are searched for one that fits into the limit, until none fits. A larger MaxD uses more of
// the limit, but more requests overtake earlier ones.
//
// # State, version 1
//
// The table is stored in segments (package segment) with one entry for each address. The key is the
// hash (package keyed) of "server " and the address as text ("192.0.2.1", "2001:db8::1"), or of
// "server mean" for the mean server. The value is
//
//	1 byte       kind = 's': entries of other kinds (package load) may share the state
//	1 byte       version = 1
//	uint32       day of the last download, in days since 1970-01-01 UTC
//	float32      trust, above 0 up to 1
//	float32      usual length of a download, in seconds
//	48 × float32 bytes a second: hours 0 to 23 of a working day, then of a holiday
//	the rest     the address: 0 (mean server), 4 or 16 bytes
//
// Integers and floats are little-endian. Merging deletes entries of servers that were not used for
// 90 days. The entries in testdata/v1.golden stay readable for ever.
package bandwidth
