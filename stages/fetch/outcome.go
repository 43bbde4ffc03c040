package main

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/dial"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/traffic/visits"
)

// Reasons for which a URL is put off without losing a try. They are not failures. putOffs describes
// them.
const (
	notStarted = "not-started"
	pinExpired = "pin-expired"
	hostHeld   = "host-held"
	overShare  = "over-share"
	cutShort   = visits.CutShort
)

// An outlet writes the URLs that have no answer.
type outlet struct {
	policy   policy
	patience time.Duration // maximum wait for a host that allows no requests
	again    *again.Writer
	failed   *urlbatch.Exit
	rep      *report.Report
}

// fail charges rec a try and sends it to again, or after the last try to failed. The wait is that
// of the policy, or the one that the server demands. In both cases it grows with each try.
func (o *outlet) fail(rec *urlbatch.Record, reason string, now time.Time, wait time.Duration) error {
	rule := o.policy.of(reason)
	if rule.wait == 0 {
		return o.giveUp(rec, reason)
	}
	rec.Del(urlbatch.Back)
	tries := rec.Int(rule.counts) + 1
	rec.SetInt(rule.counts, tries)
	if tries >= rule.tries {
		return o.giveUp(rec, reason)
	}
	o.rep.Count(reason, 1)
	if wait <= 0 {
		return o.again.Add(rec, now, again.After(rule.wait, tries))
	}
	return o.again.Add(rec, now, max(wait, again.After(again.Shortest, tries)))
}

// refuses returns the reason if an answer for rec counts as a failure, that is, if it has a reason
// with tries left. It returns "" for an answer to archive.
func (p policy) refuses(rec *urlbatch.Record, a *exchange.Answer) (reason string) {
	if why := busy(a); why != "" && !p.last(rec, why) {
		return why
	}
	if cut := a.Truncated; cut != exchange.Whole && cut != exchange.CutLength && !p.last(rec, brokenOff) {
		return brokenOff
	}
	return ""
}

// last reports whether the current try of rec is its last if it fails for this reason.
func (p policy) last(rec *urlbatch.Record, reason string) bool {
	rule := p.of(reason)
	return rec.Int(rule.counts)+1 >= rule.tries
}

// putOff sends rec to again without charging a try, and counts why. The mark has it go before others
// like it (package order).
func (o *outlet) putOff(rec *urlbatch.Record, why string, now time.Time, wait time.Duration) error {
	o.rep.Count(why, 1)
	rec.Set(urlbatch.Back, "1")
	return o.again.Add(rec, now, wait)
}

// cutShort puts off rec, for which a short run still waited when it was ended. This happens only
// once to a record.
func (o *outlet) cutShort(rec *urlbatch.Record, now time.Time) error {
	rec.Set(urlbatch.Cut, "1")
	return o.putOff(rec, cutShort, now, 0)
}

// hold puts off rec because its host allows no requests now. It gives up rec if that has lasted
// longer than patience.
func (o *outlet) hold(rec *urlbatch.Record, now time.Time, wait time.Duration) error {
	since := rec.Int(urlbatch.Held)
	if since <= 0 || since > now.Unix() { // not set, or set with a wrong clock
		since = now.Unix()
		rec.SetInt(urlbatch.Held, since)
	}
	if now.Sub(time.Unix(since, 0)) > o.patience {
		return o.giveUp(rec, hostHeld)
	}
	return o.putOff(rec, hostHeld, now, wait)
}

// giveUp sends rec to failed, without the pin from resolve.
func (o *outlet) giveUp(rec *urlbatch.Record, reason string) error {
	rec.Del(urlbatch.Addr, urlbatch.Until, urlbatch.Delay)
	return o.failed.Take(rec, reason)
}

func (o *outlet) close() error { return errors.Join(o.again.Close(), o.failed.Close()) }

// reasonOf returns the reason for a failed request. reached reports whether the server was reached.
// ok is false if the URL is not the cause of the error.
func reasonOf(err error) (reason string, reached, ok bool) {
	var failed *exchange.Error
	switch {
	case errors.As(err, &failed):
		return failed.Reason, failed.Sent, true
	case errors.Is(err, dial.ErrPrivate), errors.Is(err, dial.ErrPort):
		return exchange.PrivateAddress, false, true
	case errors.Is(err, dial.ErrNoHost):
		return noSuchHost, false, true
	case errors.Is(err, dial.ErrDNS):
		return dnsFailed, false, true
	case errors.Is(err, errBadAddr):
		return badAddr, true, true // concerns only this record
	case errors.Is(err, context.DeadlineExceeded):
		return overtime, true, true
	}
	return "", false, false
}

// busy returns the reason for an answer that says that the server gets too many requests or cannot
// answer now. For all other answers it returns "".
func busy(a *exchange.Answer) string {
	switch a.Status {
	case http.StatusTooManyRequests:
		return tooMany
	case http.StatusServiceUnavailable:
		return unavailable
	}
	return ""
}

// statusClass returns the counter in the report for an answer.
func statusClass(a *exchange.Answer) string { return "status-" + strconv.Itoa(a.Status/100) + "xx" }
