// Package bandwidth keeps a crawl to a rate: it says whether one more download may be started, and
// holds back the reading of those that are under way. It is pure but for Ceiling.Pace: every method
// that needs the time is told it.
//
// # Controls
//
// A Control is asked for each request that could be made, in the order of the queue, whether it
// fits. There are four:
//
//   - Open lets everything start. With a Ceiling it is the plain throttle.
//   - OnOff starts while the rate of the last second is below the limit, and stops above it: what
//     Diligenti, Maggini, Pucci and Scarselli compare their predictor with ("Design of a crawler
//     with bounded bandwidth", WWW 2004).
//   - Connections holds the rate by varying the number of downloads at work, as the Multitext
//     crawler did (thesis, section 3.2.3).
//   - Predictor is the method of that paper, below.
//
// A Ceiling bounds what is read, whichever control starts the downloads. Its promise is about every
// second wherever it begins; the promise of the others is about the mean.
//
// # The predictor
//
// For each server address the Table keeps a rate for every hour of a working day and of a holiday
// (Saturday and Sunday, by the local clock): 48 values. The rate of a download is its bytes over
// the time from the request to the last byte. A download at time t moves the value b of each hour
// of that kind of day towards its own rate m. Where h is the middle of the hour:
//
//	b += w/trust (m - b),   w = 1 - (1 - Gain·exp(-(t-h)²/2sigma²))^(length/usual)
//
// The paper has w = Gain·exp(…) (K_E is its Gain): every download counts alike. But what the sum of
// rates must foretell is bytes over time. A short page, whose rate is small because latency is most
// of its length, takes little of that time, so it must weigh little; else a server is thought
// slower than it is, and the crawl is too fast. So the weight grows with the length, measured by
// the usual length of the server's downloads: that every server is learnt equally fast, quick or
// slow, keeps the sum right while much of it is not known yet. No download counts for more than
// 16 of usual length. Rule.Alike is the paper's way. Table says how values of few downloads are
// weighed against those of all servers, and Predictor how a server faster than the limit is met.
//
// The crawler's bandwidth (CB of the paper) is the sum of the rates predicted for the downloads
// under way. It falls by a download's rate when that ends; then the queue is searched, to the depth
// MaxD, for the first request that the limit has room for, until none fits. A larger depth leaves
// less of the limit unused, and starts more requests before those that were first.
//
// # State, version 1
//
// The table is kept in segments (package segment), one entry an address. Its key (package keyed) is
// that of "server " and the address as text ("192.0.2.1", "2001:db8::1"), of "server mean" for the
// mean server. Its value:
//
//	1 byte       kind = 's': entries of other kinds (package load) may share the state
//	1 byte       version = 1
//	uint32       day of the last download, in days since 1970-01-01 UTC
//	float32      trust, above 0 up to 1
//	float32      usual length of a download, in seconds
//	48 × float32 bytes a second: hours 0 to 23 of a working day, then of a holiday
//	the rest     the address: 0 (mean server), 4 or 16 bytes
//
// Integers and floats are little-endian. An entry of a server that was not met for 90 days is not
// kept when segments are merged. testdata/v1.golden holds entries, kept for ever.
package bandwidth
