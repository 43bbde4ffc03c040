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
)

// Why a URL is put off without a try; none is a failure. putOffs tells what they mean.
const (
	notStarted = "not-started"
	pinExpired = "pin-expired"
	hostHeld   = "host-held"
	overShare  = "over-share"
	cutShort   = "cut-short"
)

// An outlet takes the URLs that have no answer.
type outlet struct {
	policy   policy
	patience time.Duration // with hosts that want to be left alone
	again    *again.Writer
	failed   *urlbatch.Exit
	rep      *report.Report
}

// fail charges rec a try and sends it to again, or after the last try to failed. It waits as the
// policy says, or, if the server has named a wait, that long; but then, too, longer with each try.
func (o *outlet) fail(rec *urlbatch.Record, reason string, now time.Time, wait time.Duration) error {
	rule := o.policy.of(reason)
	if rule.wait == 0 {
		return o.giveUp(rec, reason)
	}
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

// refuses names the failure that an answer for rec is, "" of one that is kept: a failure that has
// tries left.
func (p policy) refuses(rec *urlbatch.Record, a *exchange.Answer) (reason string) {
	if why := busy(a); why != "" && !p.last(rec, why) {
		return why
	}
	if cut := a.Truncated; cut != exchange.Whole && cut != exchange.CutLength && !p.last(rec, brokenOff) {
		return brokenOff
	}
	return ""
}

// last tells whether the try under way is rec's last if it fails for that reason.
func (p policy) last(rec *urlbatch.Record, reason string) bool {
	rule := p.of(reason)
	return rec.Int(rule.counts)+1 >= rule.tries
}

// putOff sends rec to again without charging a try; why is counted.
func (o *outlet) putOff(rec *urlbatch.Record, why string, now time.Time, wait time.Duration) error {
	o.rep.Count(why, 1)
	return o.again.Add(rec, now, wait)
}

// cutShort puts rec off that a short run waited for when it was over; no run does so again.
func (o *outlet) cutShort(rec *urlbatch.Record, now time.Time) error {
	rec.Set(urlbatch.Cut, "1")
	return o.putOff(rec, cutShort, now, 0)
}

// hold puts rec off for its host wants to be left alone, or gives it up when patience with that is
// at its end.
func (o *outlet) hold(rec *urlbatch.Record, now time.Time, wait time.Duration) error {
	since := rec.Int(urlbatch.Held)
	if since <= 0 || since > now.Unix() { // or a clock was wrong
		since = now.Unix()
		rec.SetInt(urlbatch.Held, since)
	}
	if now.Sub(time.Unix(since, 0)) > o.patience {
		return o.giveUp(rec, hostHeld)
	}
	return o.putOff(rec, hostHeld, now, wait)
}

// giveUp sends rec to failed, without what resolve pinned to it.
func (o *outlet) giveUp(rec *urlbatch.Record, reason string) error {
	rec.Del(urlbatch.Addr, urlbatch.Until, urlbatch.Delay)
	return o.failed.Take(rec, reason)
}

func (o *outlet) close() error { return errors.Join(o.again.Close(), o.failed.Close()) }

// reasonOf names the failure of a request; reached tells whether the server was. ok is
// false for an error that is no fault of the URL.
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
		return badAddr, true, true // of this line alone
	case errors.Is(err, context.DeadlineExceeded):
		return overtime, true, true
	}
	return "", false, false
}

// busy names an answer that says that the server is asked too much, or cannot answer at
// present; it is "" for all others.
func busy(a *exchange.Answer) string {
	switch a.Status {
	case http.StatusTooManyRequests:
		return tooMany
	case http.StatusServiceUnavailable:
		return unavailable
	}
	return ""
}

// statusClass names an answer in the report.
func statusClass(a *exchange.Answer) string { return "status-" + strconv.Itoa(a.Status/100) + "xx" }
