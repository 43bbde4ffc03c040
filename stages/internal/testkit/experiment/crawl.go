package experiment

import (
	"container/heap"
	"time"

	"multitext/stages/internal/traffic/bandwidth"
	"multitext/stages/internal/traffic/polite"
)

// A crawl fetches from a world under one control.
type crawl struct {
	world    *world
	way      Way
	schedule *polite.Schedule[*document]
	control  bandwidth.Control
	predict  *bandwidth.Predictor // the control, if it is one
	ceiling  *bandwidth.Ceiling   // nil: none
	piece    int
	record   *record
	events   events
	serial   int
}

// A download is a document that is under way.
type download struct {
	*document
	request *polite.Request[*document]
	booked  bandwidth.Download
	left    int
	began   time.Time
}

// run plays the whole crawl and returns what was recorded.
func run(p Plan, s Scenario, way Way, seed uint64) (*record, error) {
	w := newWorld(p, s, seed)
	c := &crawl{
		world: w, way: way, piece: p.Piece,
		schedule: polite.New[*document](polite.Limits{
			Start: p.Begin.Add(-p.Delay), Deadline: p.Begin.Add(24 * time.Hour), Delay: p.Delay, PerHost: 1,
		}),
		record: newRecord(w.start(), p.Measured, w.limit()),
	}
	if err := c.govern(p, w.limit()); err != nil {
		return nil, err
	}
	for _, h := range w.hosts {
		h.ready = p.Begin
		c.schedule.Add(h.name, h.server.addr, 0, w.next(h))
	}
	c.push(&event{at: p.Begin})
	end := w.start().Add(p.Measured)
	for {
		e := heap.Pop(&c.events).(*event)
		if e.at.After(end) {
			return c.record, nil
		}
		if c.handle(e) {
			c.start(e.at)
		}
	}
}

// govern makes the control.
func (c *crawl) govern(p Plan, limit float64) error {
	rule := bandwidth.Defaults()
	if c.way.Alike {
		rule.Alike = true
	}
	if c.way.Fixed {
		rule.Gain, rule.Prior = 0, p.Constant/limit
	}
	switch c.way.Control {
	case "onoff":
		c.control = bandwidth.NewOnOff(limit)
	case "connections":
		c.control = bandwidth.NewConnections(limit, p.Connections)
	default:
		table, err := bandwidth.NewTable(limit, rule, nil, nil)
		if err != nil {
			return err
		}
		c.predict = bandwidth.NewPredictor(table)
		c.control = c.predict
	}
	if c.way.Ceiling {
		c.ceiling = bandwidth.NewCeiling(limit, p.Connections)
		c.piece = min(c.piece, c.ceiling.Piece())
	}
	return nil
}

// handle lets an event happen; it tells whether more may start then.
func (c *crawl) handle(e *event) bool {
	switch {
	case e.download == nil:
		c.push(&event{at: e.at.Add(bandwidth.Tick)})
	case e.piece == 0 || c.receive(e):
		c.end(e.download, e.at)
	default:
		return false
	}
	return true
}

// receive takes a piece; the next is on its way when the ceiling has let this one pass. It tells
// whether it was the last and has passed.
func (c *crawl) receive(e *event) bool {
	d := e.download
	c.control.Received(e.at, e.piece)
	c.record.received(e.at, e.piece)
	d.left -= e.piece
	passed := e.at
	if c.ceiling != nil {
		passed = e.at.Add(c.ceiling.Reserve(e.at, e.piece))
	}
	switch {
	case d.left > 0:
		c.await(d, passed)
		return false
	case passed.After(e.at):
		c.push(&event{at: passed, download: d})
		return false
	}
	return true
}

// await makes the event of the download's next piece, that is on its way from now on.
func (c *crawl) await(d *download, now time.Time) {
	n := min(c.piece, d.left)
	took := float64(n) / c.world.rate(d.document, now)
	c.push(&event{at: now.Add(time.Duration(took * float64(time.Second))), download: d, piece: n})
}

func (c *crawl) end(d *download, now time.Time) {
	c.world.end(d.document)
	c.control.End(now, d.booked, int64(d.size))
	c.schedule.Done(d.request, now, now.Sub(d.began))
	d.host.ready = now.Add(c.world.plan.Delay)
	c.record.ended(now, d)
	c.predicted(now)
}

// start starts what the schedule and the control allow.
func (c *crawl) start(now time.Time) {
	for c.schedule.Active() < c.world.plan.Connections {
		fits := c.control.Search(now)
		passed := 0
		request, _ := c.schedule.Search(now, c.way.Depth, func(d *document) bool {
			ok := fits(d.host.server.addr)
			if !ok {
				passed++
			}
			return ok
		})
		if request == nil {
			break
		}
		c.begin(request, now, passed)
	}
	c.predicted(now)
}

func (c *crawl) begin(request *polite.Request[*document], now time.Time, passed int) {
	h := request.Item.host
	d := &download{document: request.Item, request: request, left: request.Item.size, began: now,
		booked: c.control.Start(now, h.server.addr)}
	c.schedule.Add(h.name, h.server.addr, 0, c.world.next(h))
	c.world.begin(d.document)
	c.record.started(now, d, passed)
	c.await(d, now.Add(d.latency))
}

func (c *crawl) predicted(now time.Time) {
	if c.predict != nil {
		c.record.predicted(now, c.predict.Predicted())
	}
}
