package experiment

import (
	"math"
	"slices"
	"time"
)

// A Result is what came of one control in one scenario, over all seeds. Rates are shares of the
// limit.
type Result struct {
	Scenario, Way string

	Mean   float64 // of the seconds
	P5     float64 // a twentieth of the seconds is below
	P95    float64 // a twentieth is above
	Booked float64 // mean of the predicted rate; NaN without a prediction
	Peak   float64 // the most in any second, wherever it begins
	Error  float64 // mean distance of a second's predicted rate from the measured; NaN without a prediction
	Miss   float64 // the same of a download's rate, as a share of it, longer ones weighing more; NaN likewise
	Passed float64 // requests passed over, by start: the inversions of the queue's order

	Starts   int
	Wait     time.Duration // mean time for which a request could have started and did not
	FastWait time.Duration // the same of the fast servers
	FastMost time.Duration // the longest of these
	FastN    int           // how often they were asked

	Curve []Point // of the first seed
}

// A Point is one second of a curve, in bytes.
type Point struct{ Measured, Predicted, Assigned float64 }

// Run plays one control in one scenario, once a seed.
func Run(p Plan, s Scenario, way Way) (Result, error) {
	var records []*record
	for _, seed := range p.Seeds {
		r, err := run(p, s, way, seed)
		if err != nil {
			return Result{}, err
		}
		records = append(records, r)
	}
	return summarise(s, way, records), nil
}

func summarise(s Scenario, way Way, records []*record) Result {
	limit := records[0].limit
	res := Result{Scenario: s.Name, Way: way.Name}
	var rates []float64
	var booked, off, passed, wrong, length float64
	var all, fast waits
	for _, r := range records {
		for _, sec := range r.seconds {
			rates = append(rates, sec.measured/limit)
			booked += sec.predicted / limit
			off += abs(sec.measured-sec.predicted) / limit
		}
		res.Peak = max(res.Peak, float64(r.peak.most)/limit)
		res.Starts += r.downloads
		passed += float64(r.passed)
		wrong, length = wrong+r.wrong, length+r.length
		all.join(r.all)
		fast.join(r.fast)
	}
	slices.Sort(rates)
	for _, rate := range rates {
		res.Mean += rate / float64(len(rates))
	}
	res.P5, res.P95 = rates[len(rates)/20], rates[len(rates)-1-len(rates)/20]
	res.Booked, res.Error, res.Miss = booked/float64(len(rates)), off/float64(len(rates)), wrong/length
	if way.Control != "predict" {
		res.Booked, res.Error, res.Miss = math.NaN(), math.NaN(), math.NaN()
	}
	res.Passed = passed / float64(max(res.Starts, 1))
	res.Wait, res.FastWait, res.FastMost, res.FastN = all.mean(), fast.mean(), fast.most, fast.n
	for _, sec := range records[0].seconds {
		res.Curve = append(res.Curve, Point{sec.measured, sec.predicted, limit})
	}
	return res
}

func (w *waits) join(other waits) {
	w.n += other.n
	w.sum += other.sum
	w.most = max(w.most, other.most)
}
