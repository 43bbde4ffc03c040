package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/traffic/polite"
	"multitext/stages/internal/web/canon"
)

// run is the body of the stage.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	if o.printPolicy {
		env.NoReport = true
		return o.policy.print(env.Stdout)
	}
	start := time.Now()
	if err := o.check(); err != nil {
		return stage.Usagef("%w", err)
	}
	info, err := warcinfo(o.agent, o.operator, *o.info)
	if err != nil {
		return stage.Usagef("%w", err)
	}
	client, err := o.client()
	if err != nil {
		return err
	}
	defer client.Close()
	if err := env.Ready(); err != nil {
		return err
	}
	defer stage.LimitMemory(o.memory())()
	state, err := o.openState(start, env.Hash)
	if err != nil {
		return err
	}
	defer state.close()
	r := &round{
		o: o, schedule: polite.New[*target](o.limits(start)), client: client, outlet: o.outlet(env), state: state,
		tally: o.tally(), rep: env.Report, log: env.Log, last: start,
		tail:     newTail(start, o.tail, o.limits(start).First(o.delay)),
		deadline: start.Add(o.span), end: start.Add(o.span + 2*o.pageTimeout),
	}
	if err := r.read(ctx, env); err != nil {
		return err
	}
	if r.tally != nil && !r.wasCut {
		r.tail.shorten(r.schedule.Needs(r.tail.after), r.o.limits(start).First(o.delay))
	}
	r.gate = newGate(o.pace, o.atOnce(len(state.load.Hosts())), state.rates)
	r.gate.watch(client)
	if r.archive, err = newArchive(env, o.pages, info); err != nil {
		return err
	}
	if err = r.share(start); err == nil {
		err = r.run(ctx)
	}
	if err != nil {
		return err
	}
	return r.leave(env, time.Now())
}

// memory returns the memory use above which the garbage collector works harder. It is the amount in
// -h without the records.
func (o *options) memory() int64 {
	return int64(o.connections)*(700e3+int64(*o.maxHeader)) + int64(runtime.GOMAXPROCS(0))*3*int64(*o.maxBody)
}

// atOnce returns the maximum number of concurrent requests in a run with this number of hosts.
func (o *options) atOnce(hosts int) int { return min(o.connections, max(hosts, 1)*o.perHost) }

// leave sends URLs whose requests did not start to again, and closes the outputs. The next run waits
// for those that this one did not, but not for more URLs of a host that has answered.
func (r *round) leave(env *stage.Env, now time.Time) error {
	for v, held := range r.schedule.Rest() {
		waits := r.short && !r.tally.hasAnswer(v.host) || r.leavesUnasked && !r.schedule.Asked(v.host)
		if held.IsZero() && waits {
			v.rec.Set(urlbatch.Cut, "1")
		}
		if err := r.outlet.putOff(v.rec, notStarted, now, held.Sub(now)); err != nil {
			return err
		}
	}
	return errors.Join(r.archive.writer.Close(), r.outlet.close(), r.writeVisits(env, now), r.state.write(env))
}

// limits returns the politeness rules of a run that begins at start.
func (o *options) limits(start time.Time) polite.Limits {
	return polite.Limits{
		Start: start, Deadline: start.Add(o.span),
		Delay: o.delay, PerHost: o.perHost, Slowness: o.slowness, MaxDelay: o.maxDelay,
		AddressDelay: o.addressDelay, PerAddress: o.perAddress,
		Peers: o.peers.number, Turn: o.peers.turn,
	}
}

func (o *options) check() error {
	if err := o.peers.check(); err != nil {
		return err
	}
	host, address := o.limits(time.Time{}).First(o.delay), o.addressDelay*time.Duration(o.peers.number)
	switch {
	case o.pages == "" || o.again == "":
		return errors.New("-pages and -again are required")
	case o.connections < 1 || o.perHost < 1:
		return errors.New("-connections and -per-host-connections must be at least 1")
	case o.span <= 0 || o.timeout <= 0 || o.pageTimeout <= 0:
		return errors.New("-for, -timeout and -page-timeout must be above 0")
	case !(o.tail >= 0 && o.tail <= maxTail):
		return fmt.Errorf("-tail must be from 0 to %v", maxTail)
	case o.delay < 0 || o.addressDelay < 0 || o.maxDelay < 0 || !(o.slowness >= 0) || o.perAddress < 0 ||
		o.patience < 0:
		return errors.New("-delay, -address-delay, -slowness, -max-delay, -per-address-connections and -patience " +
			"must not be negative")
	case !(o.share >= 0 && o.share <= 1):
		return errors.New("-share must be from 0 to 1: 0.002 means 0.2 %")
	case max(host, address) >= o.span:
		return fmt.Errorf("-delay and -address-delay, with -peers %d %v and %v, must be below -for %v: otherwise no "+
			"request would ever start",
			o.peers.number, host, address, o.span)
	case *o.maxHeader > warc.MaxHead:
		return fmt.Errorf("-max-header may be at most %d bytes: an archive with longer headers could not be read",
			warc.MaxHead)
	case *o.maxHeader < 1 || *o.maxBody < 0 || *o.maxBody > warc.MaxRecord-*o.maxHeader:
		return fmt.Errorf("-max-header and -max-body together may be at most %d bytes", warc.MaxRecord)
	}
	if err := o.pace.check(); err != nil {
		return err
	}
	return exchange.CheckAgent(o.agent)
}

func (o *options) outlet(env *stage.Env) *outlet {
	return &outlet{policy: o.policy, patience: o.patience, again: again.NewWriter(env.Files, o.again, env.Report),
		failed: urlbatch.NewExit(env.Files, o.failed, env.Report), rep: env.Report}
}

// read fills the schedule. It gives up URLs that can never be fetched.
func (r *round) read(ctx context.Context, env *stage.Env) error {
	limits, out := r.o.limits(time.Time{}), r.outlet
	return urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, out.failed.TakeBad, func(rec *urlbatch.Record) error {
		v := newTarget(rec.Clone())
		scheme := canon.Scheme(v.url)
		if scheme != "http" && scheme != "https" || v.host == "" {
			return out.giveUp(rec, badScheme)
		}
		delay := delayOf(rec)
		r.tally.meet(v.host, limits.First(max(delay, r.o.delay)))
		if v.expired(time.Now()) {
			return out.putOff(rec, pinExpired, time.Now(), 0)
		}
		if limits.First(delay) >= r.o.span {
			return out.giveUp(rec, crawlDelay)
		}
		r.wasCut = r.wasCut || rec.Int(urlbatch.Cut) > 0
		r.schedule.Add(v.host, v.address(), delay, v)
		return r.state.meet(v)
	})
}

func (o *options) client() (*exchange.Client, error) {
	o.dialer.Timeout = o.timeout
	files, err := mayOpen()
	if err != nil {
		return nil, err
	}
	idle, err := maxIdle(o.connections, files)
	if err != nil {
		return nil, stage.Usagef("%w", err)
	}
	c := &exchange.Client{
		Dialer:   &o.dialer,
		Agent:    o.agent,
		Identity: o.identity,
		MaxIdle:  idle,
		Limits: exchange.Limits{Timeout: o.timeout, Total: o.pageTimeout, Head: int(*o.maxHeader),
			Body: int64(*o.maxBody)},
	}
	if o.cookies {
		c.Cookies = exchange.NewCookies()
	}
	if c.TLS, err = exchange.Trust(o.ca); err != nil {
		return nil, err
	}
	return c, nil
}
