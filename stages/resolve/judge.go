package main

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/dial"
	"multitext/stages/internal/web/robots"
)

// A candidate is a record of the run, with the verdict of robots.txt.
type candidate struct {
	rec     *urlbatch.Record
	origin  string // scheme, host and port
	verdict robots.Verdict
	late    bool // it was not judged, because its domain has used up its share
	delay   time.Duration
}

// A judge writes each record of a run to the right output.
type judge struct {
	now      time.Time
	patience time.Duration
	forgets  bool // the run stores nothing about origins
	dialer   *dial.Dialer

	pinned []netip.AddrPort // the addresses pinned last
	pins   string           // the same as text

	tally   *tally
	ready   *urlbatch.Writer
	again   *again.Writer
	refused *urlbatch.Exit
	rep     *report.Report
}

// decide judges all URLs of one origin by its robots.txt, within the share of its domain. So only
// one parsed robots.txt is in memory at a time.
func decide(urls []*candidate, rules *robots.Rules, s *shares) {
	for _, u := range urls {
		if u.late = !s.left(u.origin); u.late {
			continue
		}
		s.spend(u.origin, int64(rules.Cost(u.rec.URL()))/judgedFaster)
		u.verdict, u.delay = rules.Judge(u.rec.URL()), rules.CrawlDelay()
	}
}

// An outcome says where a record goes. It is ready if it has addresses, it is refused if it has a
// reason and no wait, and otherwise it waits.
type outcome struct {
	addrs  []netip.AddrPort
	until  time.Time // when the addresses expire
	delay  time.Duration
	reason string
	wait   time.Duration
}

func refused(reason string) outcome { return outcome{reason: reason} }

// noTurn is the reason why a URL waits whose server was not asked.
const noTurn = "no-time"

// noTime is how long a URL waits if its server was not asked. This happens mostly when another
// server in the run was slow, so the wait is long enough for the next runs to go without these
// URLs.
const noTime = 8 * again.Shortest

// of returns the outcome of u. e is what is known about its origin, or nil if there was no time to
// ask.
func (j *judge) of(u *candidate, e *entry) outcome {
	if e == nil || u.late {
		return outcome{reason: noTurn, wait: noTime}
	}
	switch e.kind {
	case known:
		return j.ofKnown(u, e)
	case notNow:
		return j.ofNotNow(u.rec, e)
	}
	return refused(e.reason)
}

// ofKnown returns the outcome of u by its verdict, with the addresses of e.
func (j *judge) ofKnown(u *candidate, e *entry) outcome {
	addrs := e.addrs
	if !e.named {
		var err error
		if addrs, err = j.dialer.Allowed(addrs); err != nil {
			if errors.Is(err, dial.ErrPort) {
				return refused(badPort)
			}
			return refused(privateAddress)
		}
	}
	if !u.verdict.Allowed {
		return refused("robots")
	}
	return outcome{addrs: addrs, until: e.expiry, delay: u.delay}
}

// ofNotNow returns an outcome that waits until the host may be asked again. If the trouble of the
// host has lasted longer than the judge's patience, it refuses the record. The time of the host
// counts and not the time of the URL: it has no gaps in which nobody asked, and a URL that is found
// late need not wait for a dead host. Only if nothing is stored about hosts does the URL's own time
// count.
func (j *judge) ofNotNow(rec *urlbatch.Record, e *entry) outcome {
	since := e.since
	if own := rec.Int(urlbatch.Since); j.forgets && own > 0 && own < since.Unix() {
		since = time.Unix(own, 0)
	}
	if j.now.Sub(since) <= j.patience {
		return outcome{reason: e.reason, wait: max(e.expiry.Sub(j.now), again.Shortest)}
	}
	if strings.HasPrefix(e.reason, robotsPrefix) {
		return refused("robots-unreachable")
	}
	return refused(e.reason)
}

// judge writes u to the right output.
func (j *judge) judge(u *candidate, e *entry) error {
	rec, o := u.rec, j.of(u, e)
	j.tally.add(rec, o, j.now)
	switch {
	case o.addrs != nil:
		j.pin(rec, o)
		return j.ready.Write(rec)
	case o.wait == 0:
		return j.refused.Take(rec, o.reason)
	}
	if e != nil && rec.Int(urlbatch.Since) == 0 {
		rec.SetInt(urlbatch.Since, j.now.Unix())
	}
	j.rep.Count(o.reason, 1)
	return j.again.Add(rec, j.now, o.wait)
}

// pin sets the attributes of a URL that may be fetched.
func (j *judge) pin(rec *urlbatch.Record, o outcome) {
	if !slices.Equal(o.addrs, j.pinned) {
		words := make([]string, len(o.addrs))
		for i, addr := range o.addrs {
			words[i] = addr.String()
		}
		j.pinned, j.pins = o.addrs, strings.Join(words, ",")
	}
	rec.Del(urlbatch.Since, urlbatch.Delay)
	rec.Set(urlbatch.Addr, j.pins)
	rec.SetInt(urlbatch.Until, o.until.Unix())
	if o.delay > 0 {
		rec.SetInt(urlbatch.Delay, o.delay.Milliseconds())
	}
}

// remedyOf returns what the user can do about a reason, usually "".
func remedyOf(_ *urlbatch.Record, reason string) string {
	switch reason {
	case badPort:
		return "-connect-to HOST:PORT=ADDR:PORT, given to resolve and fetch, opens a port that browsers refuse"
	case privateAddress:
		return "-allow-private CIDR, given to resolve and fetch, opens addresses that are not on the public internet"
	case "no-such-host":
		return "check the spelling; -connect-to, given to resolve and fetch, names servers of hosts that DNS does " +
			"not know"
	}
	return ""
}

// String returns the outcome in words.
func (o outcome) String() string {
	switch {
	case o.addrs != nil:
		return "ready"
	case o.wait == 0:
		return fmt.Sprintf("refused (reason %s)", o.reason)
	}
	return fmt.Sprintf("waits for %s (%s)", o.wait.Round(time.Second), o.reason)
}
