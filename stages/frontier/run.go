package main

import (
	"context"
	"path/filepath"
	"strconv"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/visits"
)

// A run is one execution of the stage.
type run struct {
	*options
	env   *stage.Env
	now   time.Time
	by    *order.Order
	state *waiting.State
	lost  *urlbatch.Exit // of records without a host, or over a budget
	overs *overs
	count map[string]int64
	still bool // nothing else of the crawl runs, and nothing will
}

// run is the stage's Body.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	by, err := o.check(env)
	if err != nil {
		return err
	}
	defer stage.LimitMemory(memory)()
	now := time.Now()
	state, err := waiting.Open(o.waiting, env.Hash, o.rules(now, by))
	if err != nil {
		return err
	}
	defer state.Close()
	r := &run{options: o, env: env, now: now, by: by, state: state, lost: urlbatch.NewExit(env.Files, "", env.Report),
		count: map[string]int64{}}
	r.overs = r.newOvers()
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, r.lost.TakeBad, r.take); err != nil {
		return err
	}
	if err := r.lost.Close(); err != nil {
		return err
	}
	for reason, n := range r.count {
		env.Report.Reason(reason, n)
	}
	if err := r.handOut(); err != nil {
		return err
	}
	if err := r.overs.close(env); err != nil {
		return err
	}
	if err := r.wakeAgain(); err != nil {
		return err
	}
	env.Report.Gauge("waiting", int64(state.Waiting()))
	return state.Save(env.Files, o.newSegment, env.Report)
}

func (o *options) rules(now time.Time, by *order.Order) waiting.Rules {
	rules := waiting.Rules{Now: now, Pause: o.delay, Silence: o.silence, Patience: o.timeout / 3,
		Explore: o.explore, Model: by.Model(), Host: o.budgets.host, Domain: o.budgets.domain}
	if by.Rises() {
		rules.Links = by
	}
	if o.slow != "" {
		rules.Slow = o.span / slowPart
	}
	if o.newSegment != "" {
		rules.Spill = filepath.Dir(o.newSegment)
	}
	return rules
}

// memory is what a run takes about, in bytes, without the files that it maps.
const memory = 96 << 20

// slowPart is the part of -for from which on a pause is long.
const slowPart = 10

// wakeURL is that of the record of a wake batch; its attribute due has the time.
const (
	wakeURL = "wake:"
	due     = "due" // unix milliseconds
)

// take takes in a record, whichever of the inputs it is of.
func (r *run) take(rec *urlbatch.Record) error {
	if string(rec.URLBytes()) == wakeURL {
		r.count["wake"]++
		r.woken(time.UnixMilli(rec.Int(due)))
		return nil
	}
	if rec.Has(urlbatch.Worth) {
		return r.judged(rec)
	}
	if _, ok := rec.Raw(urlbatch.Asked); ok {
		v, err := visits.Of(rec, r.now)
		if err != nil { // of another crawler, or by hand: fetch writes none
			return r.lost.Take(rec, "bad-visit")
		}
		r.count["visit"]++
		return r.state.Visited(&v)
	}
	if _, ok := rec.Raw(urlbatch.Known); ok {
		r.count["known"]++
		return r.state.Link(rec)
	}
	if over, err := r.isOver(rec); err != nil || over {
		return err
	}
	rec.Del(urlbatch.Reason) // of one that was over a budget which was raised
	ok, err := r.state.Add(rec, order.Band(r.by, rec))
	if err != nil {
		return err
	}
	if !ok {
		return r.lost.Take(rec, "no-host")
	}
	r.count["waits"]++
	return nil
}

// judged takes in what an answer was worth.
func (r *run) judged(rec *urlbatch.Record) error {
	ok, err := r.state.Judged(rec)
	if err != nil {
		return err
	}
	if !ok {
		return r.lost.Take(rec, "no-host")
	}
	r.count["judged"]++
	return nil
}

// handOut writes the batches of all lanes.
func (r *run) handOut() error {
	plan := waiting.Plan{Lane: waiting.Main, Longest: r.span, Most: r.urls, PerAddress: r.addressDelay,
		Over: r.leaves}
	if err := r.batch(r.out, plan); err != nil || r.slow == "" {
		return err
	}
	plan.Lane, plan.Longest = waiting.Slow, slowTimes*r.span
	return r.batch(r.slow, plan)
}

// slowTimes is how many times as long as the others a batch of slow hosts may take.
const slowTimes = 10

func (r *run) batch(path string, plan waiting.Plan) error {
	picks, err := r.state.Compose(plan)
	if err != nil || len(picks) == 0 {
		return err
	}
	r.still = false
	w := urlbatch.NewWriter(r.env.Files, path, r.env.Report.Made)
	for _, p := range picks {
		rec, err := urlbatch.Parse(p.Line)
		if err != nil {
			return err
		}
		if p.Far {
			rec.Set(urlbatch.Cut, "1")
		}
		if err := w.Write(rec); err != nil {
			return err
		}
	}
	return w.Close()
}

// wakeAgain writes the wake batch where one is needed.
func (r *run) wakeAgain() error {
	if r.wake == "" {
		return nil
	}
	at, ok, err := r.state.Wake()
	//failpoint:wake-forgotten ok = false
	if err != nil || !ok {
		return err
	}
	w := urlbatch.NewWriter(r.env.Files, r.wake, r.env.Report.Made)
	rec := urlbatch.New(wakeURL)
	rec.Set(due, strconv.FormatInt(at.UnixMilli(), 10))
	if err := w.Write(rec); err != nil {
		return err
	}
	if r.still {
		r.env.Report.Later(w.Path(), at)
	} else {
		r.env.Report.Latest(w.Path(), at)
	}
	return w.Close()
}

// woken takes the wake batch that was due at a time. If it comes sooner, nothing else of the crawl runs, and
// no links are under way. If nothing is handed out then, the next one comes at its time, or the stage would
// start again and again.
func (r *run) woken(due time.Time) {
	r.state.Woken(due)
	if r.still = r.still || due.After(r.now); r.still {
		r.state.NothingRuns()
	}
}
