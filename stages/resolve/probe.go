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

// A prober asks name servers and servers. It is safe for concurrent use.
type prober struct {
	dialer  *dial.Dialer
	client  *exchange.Client
	codec   *codec
	log     *slog.Logger
	ttl     time.Duration
	timeout time.Duration // for one robots.txt with its redirects
}

// Reasons for origins to which connections are forbidden.
const (
	privateAddress = "private-address"
	badPort        = "bad-port"
)

// robotsPrefix begins the reasons for servers that answer, but not with a robots.txt. All other
// reasons of kind notNow mean that the server could not be reached.
const robotsPrefix = "robots-"

// "No such host" is believed for a noHostShare-th of the ttl, because new names appear.
const noHostShare = 24

// renew asks about an origin. old is its entry in the state, or nil. An error comes from the
// context or from this machine.
func (p *prober) renew(ctx context.Context, origin string, old *entry) (*entry, error) {
	e, err := p.find(ctx, origin, old)
	if err == nil && len(e.addrs) > 0 {
		err = p.ask(ctx, e, old)
	}
	return e, err
}

// find asks the name servers and returns a new entry for origin; old is the previous entry or nil.
// If the entry has addresses, the server must still be asked. If it has none, the entry is
// complete.
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

// ask asks the server and completes an entry that has addresses.
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

// A server in trouble is not asked again for at least slowness times as long as its answer took.
// Otherwise run after run would wait for a server whose answer drips.
const slowness = 5

// settle sets when e, which was learned now, expires.
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

// wholeSecond rounds up to whole seconds, which entries store.
func wholeSecond(t time.Time) time.Time { return time.Unix(t.Add(time.Second-1).Unix(), 0) }

// troubleSince returns when the trouble of an origin began: now, unless old records an earlier
// trouble. Of a gap in which no run asked the host, at most again.Longest counts, so the beginning
// is moved on by the rest. A trouble that ended more than a ttl ago does not count, because the
// host may have been well since then: a later entry may have expired and been deleted.
func (p *prober) troubleSince(old *entry, now time.Time) time.Time {
	if old == nil || old.since.IsZero() || old.since.After(now) || now.Sub(old.expiry) > troubleKept(p.ttl) {
		return now
	}
	return old.since.Add(max(0, now.Sub(old.expiry)-again.Longest))
}

// troubleKept returns how long a trouble is remembered after its hold has ended.
func troubleKept(ttl time.Duration) time.Duration { return max(ttl, again.Longest) }

// hold returns how long an origin in trouble is not asked: as long as the trouble has lasted.
func hold(since, now time.Time) time.Duration {
	return min(max(now.Sub(since), again.Shortest), again.Longest)
}

// askRobots fetches the robots.txt of e's origin from e.addrs, follows redirects, and sets e's kind
// and the fields that belong to it.
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

// noAnswer sets e to kind notNow after a failed request. If the origin's own server failed, the
// reason is that of the failure. If another server failed, after a redirect, the reason says that
// robots.txt could not be fetched.
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

// learn sets e according to an answer, or returns the Location to follow.
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
		case a.Truncated == exchange.CutLength: // too long: its beginning is used
			text = robots.WholeLines(text)
		case err != nil || a.Truncated != exchange.Whole:
			e.kind, e.reason = notNow, robotsPrefix+"broken"
			return "", true
		}
		e.kind, e.robots = known, p.codec.zip(robots.Clip(text))
	}
	return "", true
}

// follow returns the target of a redirect and its addresses, under the same rules as for the first
// request.
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
