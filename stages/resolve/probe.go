package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/dial"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/robots"
)

// A prober asks name servers and servers. It is safe for use by many goroutines.
type prober struct {
	dialer  *dial.Dialer
	client  *exchange.Client
	codec   *codec
	log     *slog.Logger
	ttl     time.Duration
	timeout time.Duration // of one robots.txt with its redirects
}

// Reasons of origins that may not be connected to.
const (
	privateAddress = "private-address"
	badPort        = "bad-port"
)

// robotsPrefix begins the reasons of a server that answers, but not with its robots.txt. All other
// reasons of kind notNow are failures on the way to it.
const robotsPrefix = "robots-"

// noHostShare of the ttl is how long "no such host" is believed: names come into being.
const noHostShare = 24

// renew asks about an origin. old is what the state knows, nil if nothing. The error is the
// context's or one of this machine.
func (p *prober) renew(ctx context.Context, origin string, old *entry) (*entry, error) {
	e, err := p.find(ctx, origin, old)
	if err == nil && len(e.addrs) > 0 {
		err = p.ask(ctx, e, old)
	}
	return e, err
}

// find makes an entry of origin, old its forerunner, by what name servers say: with addresses, and
// then the server is still to be asked, or without, and then the entry is complete.
func (p *prober) find(ctx context.Context, origin string, old *entry) (*entry, error) {
	e := &entry{origin: origin, renewed: true}
	addrs, err := p.dialer.Find(ctx, origin+"/")
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		e.addrs = addrs
		_, e.named = p.dialer.Named(origin + "/")
		return e, nil
	case errors.Is(err, dial.ErrPrivate):
		e.kind, e.reason = private, privateAddress
	case errors.Is(err, dial.ErrPort):
		e.kind, e.reason = private, badPort
	case errors.Is(err, dial.ErrNoHost):
		e.kind, e.reason = noHost, "no-such-host"
	default:
		e.kind, e.reason = notNow, "dns-failed"
		p.log.Debug("not found", "origin", origin, "err", err)
	}
	p.settle(e, old, time.Now())
	return e, nil
}

// ask completes an entry that has addresses, by what the server says.
func (p *prober) ask(ctx context.Context, e, old *entry) error {
	now := time.Now()
	if err := p.askRobots(ctx, e); err != nil {
		return err
	}
	if e.kind == notNow {
		e.asked = max(e.asked, (1+slowness)*time.Since(now))
	}
	p.settle(e, old, now)
	return nil
}

// slowness is how many times as long as it took a server in trouble is left alone, at least: runs
// would wait for one that drips again and again.
const slowness = 5

// settle sets for how long e is good, of what was learnt now.
func (p *prober) settle(e, old *entry, now time.Time) {
	now = wholeSecond(now)
	good := p.ttl
	switch e.kind {
	case noHost:
		good = p.ttl / noHostShare
	case notNow:
		e.since = p.troubleSince(old, now)
		good = max(hold(e.since, now), e.asked)
	}
	e.expiry = wholeSecond(now.Add(good))
}

// wholeSecond rounds up, as entries keep whole seconds.
func wholeSecond(t time.Time) time.Time { return time.Unix(t.Add(time.Second-1).Unix(), 0) }

// troubleSince is when the trouble of an origin began: now, unless old tells of one. Of the time in
// which nobody looked after the host no more than again.Longest counts, so it is moved on by the
// rest. Of what was more than a ttl ago nothing is known: the host may have been well since then,
// by an entry that was dropped because it has expired.
func (p *prober) troubleSince(old *entry, now time.Time) time.Time {
	if old == nil || old.since.IsZero() || old.since.After(now) || now.Sub(old.expiry) > troubleKept(p.ttl) {
		return now
	}
	return old.since.Add(max(0, now.Sub(old.expiry)-again.Longest))
}

// troubleKept is for how long a trouble is remembered once its hold is over.
func troubleKept(ttl time.Duration) time.Duration { return max(ttl, again.Longest) }

// hold is how long an origin in trouble is not asked: as long as the trouble has lasted.
func hold(since, now time.Time) time.Duration {
	return min(max(now.Sub(since), again.Shortest), again.Longest)
}

// askRobots fetches the robots.txt of e's origin from e.addrs, through redirects, and sets
// e's kind and what goes with it.
func (p *prober) askRobots(ctx context.Context, e *entry) error {
	own, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	url, addrs := e.origin+"/robots.txt", e.addrs
	for redirects := 0; ; redirects++ {
		answer, err := p.client.Get(own, exchange.Request{URL: url, Addrs: addrs})
		if err != nil {
			return p.noAnswer(ctx, e, err, redirects)
		}
		e.size += answer.Body.Len()
		location, done := p.learn(e, answer)
		answer.Close()
		if done {
			return nil
		}
		if redirects == robots.MaxRedirects {
			e.kind = known // there is no robots.txt
			return nil
		}
		if url, addrs, err = p.follow(own, url, location); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e.kind, e.reason = notNow, robotsPrefix+"redirect"
			return nil
		}
	}
}

// noAnswer sets e to what a failed request means: not now. The reason is that of the failure if the
// origin's own server failed; of another one's, where a redirect led, it says that it was
// robots.txt.
func (p *prober) noAnswer(ctx context.Context, e *entry, err error, redirects int) error {
	var failed *exchange.Error
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.log.Debug("no robots.txt", "origin", e.origin, "err", err)
	reason := "timeout"
	switch {
	case errors.As(err, &failed):
		reason = failed.Reason
	case !errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("fetch robots.txt of %s: %w", e.origin, err)
	}
	if redirects > 0 {
		reason = robotsPrefix + reason
	}
	e.kind, e.reason = notNow, reason
	return nil
}

// learn sets e to what an answer means, or returns the Location that is to be followed.
func (p *prober) learn(e *entry, a *exchange.Answer) (location string, done bool) {
	switch robots.MeaningOf(a.Status) {
	case robots.Follow:
		return a.Header.Get("Location"), false
	case robots.AllowAll:
		e.kind = known
	case robots.NotNow:
		e.kind, e.reason = notNow, fmt.Sprint(robotsPrefix, a.Status)
		e.asked = again.RetryAfter(a.Header.Get("Retry-After"), time.Now())
	case robots.UseBody:
		text, err := a.Content(robots.MaxBody + 1)
		switch {
		case a.Truncated == exchange.CutLength: // its beginning counts
			text = robots.WholeLines(text)
		case err != nil || a.Truncated != exchange.Whole:
			e.kind, e.reason = notNow, robotsPrefix+"broken"
			return "", true
		}
		e.kind, e.robots = known, p.codec.zip(robots.Clip(text))
	}
	return "", true
}

// follow finds where a redirect leads, under the same rules as the first request.
func (p *prober) follow(ctx context.Context, from, location string) (string, []netip.AddrPort, error) {
	if location == "" {
		return "", nil, errors.New("redirect without Location")
	}
	url, err := canon.Resolve(from, location)
	if err != nil {
		return "", nil, err
	}
	addrs, err := p.dialer.Find(ctx, url)
	return url, addrs, err
}
