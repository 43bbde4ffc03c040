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

// How -rate is held (-control).
const (
	byCeiling     = "ceiling"
	byOnOff       = "onoff"
	byConnections = "connections"
	byPrediction  = "predict"
)

// A pace is the flags that say to which rate the run keeps, and how.
type pace struct {
	rate    *stage.Rate
	control string
	depth   int
	ceiling bool
}

func (p *pace) flags(fs *flag.FlagSet) {
	p.rate = stage.RateVar(fs, "rate", 0, "keep to `RATE`, as 600KB/s; 0 is no bound")
	fs.StringVar(&p.control, "control", byCeiling,
		"keep to -rate by `NAME`: ceiling, reading waits; connections, their number changes;\n"+
			"predict, what servers will give is foretold; onoff, nothing starts while it is exceeded")
	fs.IntVar(&p.depth, "max-depth", 100, "with -control predict, look at the first `N` servers for one that fits")
	fs.BoolVar(&p.ceiling, "ceiling", false, "whatever -control is, let reading wait, too: no second exceeds -rate")
}

func (p *pace) check() error {
	switch p.control {
	case byCeiling, byOnOff, byConnections, byPrediction:
	default:
		return fmt.Errorf("-control %q is none of %s, %s, %s, %s", p.control, byCeiling, byConnections, byPrediction,
			byOnOff)
	}
	if p.depth < 1 {
		return errors.New("-max-depth must be at least 1")
	}
	if *p.rate == 0 && (p.control != byCeiling || p.ceiling) {
		return errors.New("-control and -ceiling hold the rate that -rate says, and there is none")
	}
	return nil
}

// A gate lets requests start as -rate allows. But for received, its methods are called by one
// goroutine at a time.
type gate struct {
	control bandwidth.Control
	depth   int
	wakes   bool               // time alone may change what the control says
	ceiling *bandwidth.Ceiling // nil: reading waits for nothing
	came    atomic.Int64       // bytes that the control has not been told of
}

// newGate returns the gate of a run with so many connections; the table is for byPrediction.
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

// watch has the client tell of what it reads, and wait where there is a ceiling.
func (g *gate) watch(c *exchange.Client) {
	if g.ceiling != nil {
		c.Piece = g.ceiling.Piece()
	}
	if g.wakes || g.ceiling != nil {
		c.Pace = g.received
	}
}

// next takes the request to start at now, if the schedule has one for which there is room. Without
// one, again tells when to look again, zero if only the end of a request can help.
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
