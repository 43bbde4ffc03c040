package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"sync/atomic"
	"time"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/bandwidth"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/traffic/polite"
)

// The values of -control: how to keep to -rate.
const (
	byCeiling     = "ceiling"
	byOnOff       = "onoff"
	byConnections = "connections"
	byPrediction  = "predict"
)

// A pace holds the flags for the rate of the run and the method that keeps to it.
type pace struct {
	rate    *stage.Rate
	control string
	depth   int
	ceiling bool
}

func (p *pace) flags(fs *flag.FlagSet) {
	p.rate = stage.RateVar(fs, "rate", 0, "read at most at `RATE`, as in 600KB/s; 0 means no limit")
	fs.StringVar(&p.control, "control", byCeiling,
		"keep to -rate by method `NAME`: ceiling delays reading; connections changes their number;\n"+
			"predict uses a forecast of each server's rate; onoff starts nothing while -rate is exceeded")
	fs.IntVar(&p.depth, "max-depth", 100, "with -control predict: search the first `N` servers for one that fits")
	fs.BoolVar(&p.ceiling, "ceiling", false, "also delay reading, with any -control, so that no second exceeds -rate")
}

func (p *pace) check() error {
	switch p.control {
	case byCeiling, byOnOff, byConnections, byPrediction:
	default:
		return fmt.Errorf("-control %q: want %s, %s, %s or %s", p.control, byCeiling, byConnections, byPrediction,
			byOnOff)
	}
	if p.depth < 1 {
		return errors.New("-max-depth must be at least 1")
	}
	if *p.rate == 0 && (p.control != byCeiling || p.ceiling) {
		return errors.New("-control and -ceiling need -rate")
	}
	return nil
}

// A gate lets requests start as -rate allows. Its methods, except received, must not be called
// concurrently.
type gate struct {
	control bandwidth.Control
	depth   int
	wakes   bool               // the decision of the control may change with time alone
	ceiling *bandwidth.Ceiling // delays reading; may be nil
	came    atomic.Int64       // bytes not yet reported to the control
}

// newGate returns the gate of a run. connections is the maximum number of requests; rates is for
// byPrediction.
func newGate(p pace, connections int, rates *bandwidth.Table) *gate {
	rate := float64(*p.rate)
	g := &gate{control: bandwidth.Open{}, depth: 1, wakes: p.control != byCeiling}
	switch p.control {
	case byOnOff:
		g.control = bandwidth.NewOnOff(rate)
	case byConnections:
		g.control = bandwidth.NewConnections(rate, connections)
	case byPrediction:
		g.control, g.depth = bandwidth.NewPredictor(rates), p.depth
	}
	if rate > 0 && (p.ceiling || p.control == byCeiling) {
		g.ceiling = bandwidth.NewCeiling(rate, connections)
	}
	return g
}

// watch sets the client to report what it reads, and to wait if there is a ceiling.
func (g *gate) watch(c *exchange.Client) {
	if g.ceiling != nil {
		c.Piece = g.ceiling.Piece()
	}
	if g.wakes || g.ceiling != nil {
		c.Pace = g.received
	}
}

// next returns a request to start at now, if the schedule has one and the rate has room for it.
// Otherwise it returns the time at which to ask again; zero means after the end of a request.
func (g *gate) next(s *polite.Schedule[*target], now time.Time) (t *turn, again time.Time) {
	if !g.wakes {
		return s.Next(now)
	}
	g.control.Received(now, int(g.came.Swap(0)))
	fits, refused := g.control.Search(now), false
	t, again = s.Search(now, g.depth, func(v *target) bool {
		ok := fits(v.address())
		refused = refused || !ok
		return ok
	})
	tick := now.Add(bandwidth.Tick)
	if t == nil && (refused || s.Active() > 0) && (again.IsZero() || again.After(tick)) {
		again = tick
	}
	return t, again
}

// received is called after every read from the network.
func (g *gate) received(ctx context.Context, n int) error {
	g.came.Add(int64(n))
	if g.ceiling == nil {
		return nil
	}
	return g.ceiling.Pace(ctx, n)
}
