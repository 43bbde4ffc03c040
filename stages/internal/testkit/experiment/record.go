package experiment

import (
	"time"
)

// A record is what is measured of one crawl, from start on.
type record struct {
	start   time.Time
	limit   float64
	seconds []second
	peak    peak

	predictedNow  float64 // bytes a second, since
	predictedFrom time.Time

	downloads, passed int
	wrong, length     float64 // seconds of downloads × |predicted - own rate|, and × own rate
	all, fast         waits
}

// A second is one point of the curves, in bytes.
type second struct{ measured, predicted float64 }

// waits sums how long documents that could be asked for were not.
type waits struct {
	n    int
	sum  time.Duration
	most time.Duration
}

func (w *waits) add(d time.Duration) {
	w.n++
	w.sum += d
	w.most = max(w.most, d)
}

func (w *waits) mean() time.Duration { return w.sum / time.Duration(max(w.n, 1)) }

func newRecord(start time.Time, measured time.Duration, limit float64) *record {
	return &record{start: start, limit: limit, seconds: make([]second, int(measured/time.Second)), predictedFrom: start}
}

// second returns the point of now; nil before the start and after the end.
func (r *record) second(now time.Time) *second {
	if now.Before(r.start) {
		return nil
	}
	i := int(now.Sub(r.start) / time.Second)
	if i >= len(r.seconds) {
		return nil
	}
	return &r.seconds[i]
}

func (r *record) received(now time.Time, n int) {
	if s := r.second(now); s != nil {
		s.measured += float64(n)
		r.peak.add(now, n)
	}
}

// predicted tells that from now on the rate is predicted to be rate.
func (r *record) predicted(now time.Time, rate float64) {
	for r.predictedFrom.Before(now) {
		next := r.predictedFrom.Truncate(time.Second).Add(time.Second)
		if next.After(now) {
			next = now
		}
		if s := r.second(r.predictedFrom); s != nil {
			s.predicted += r.predictedNow * next.Sub(r.predictedFrom).Seconds()
		}
		r.predictedFrom = next
	}
	r.predictedNow = rate
}

// started tells that a document is asked for, after so many in front of it were skipped.
func (r *record) started(now time.Time, d *download, passed int) {
	if now.Before(r.start) {
		return
	}
	r.downloads++
	r.passed += passed
	wait := now.Sub(d.host.ready)
	r.all.add(wait)
	if d.host.server.fast {
		r.fast.add(wait)
	}
}

func (r *record) ended(now time.Time, d *download) {
	if d.began.Before(r.start) {
		return
	}
	length := now.Sub(d.began).Seconds()
	rate := float64(d.size) / length
	r.wrong += length * abs(d.booked.Rate-rate)
	r.length += length * rate
}

func abs(x float64) float64 { return max(x, -x) }

// A peak is the most bytes of any second, wherever it begins.
type peak struct {
	recent []arrival // of the last second
	sum    int
	most   int
}

type arrival struct {
	at time.Time
	n  int
}

func (p *peak) add(now time.Time, n int) {
	p.recent = append(p.recent, arrival{now, n})
	p.sum += n
	first := 0
	for ; now.Sub(p.recent[first].at) >= time.Second; first++ {
		p.sum -= p.recent[first].n
	}
	p.recent = p.recent[first:]
	p.most = max(p.most, p.sum)
}
