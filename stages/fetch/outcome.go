package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"multitext/stages/internal/again"
	"multitext/stages/internal/dial"
	"multitext/stages/internal/exchange"
	"multitext/stages/internal/report"
	"multitext/stages/internal/urlbatch"
)

// Reasons of a failure beside those of package exchange.
const (
	noSuchHost = "no-such-host"
	dnsFailed  = "dns-failed"
	badAddr    = "bad-addr" // addr= is no list of addresses
	badScheme  = "bad-scheme"
	crawlDelay = "crawl-delay" // does not fit into -for
	retryAfter = "retry-after" // 429 or 503 that says when to come again
	brokenOff  = "broken-off"  // the answer ended early
	overtime   = "overtime"    // under way when the run had to end
)

// pinExpired is counted for each URL that needs resolve again; it is no failure.
const pinExpired = "pin-expired"

// final tells whether no further try can help.
func final(reason string) bool {
	switch reason {
	case exchange.PrivateAddress, noSuchHost, badAddr, badScheme, crawlDelay:
		return true
	}
	return false
}

// An outlet takes the URLs that have no answer.
type outlet struct {
	maxTries int64
	again    *again.Writer
	failed   *urlbatch.Writer // nil: only counted
	rep      *report.Report
}

// fail charges rec a try and sends it to again, to wait at least wait, or after the last
// try to failed.
func (o *outlet) fail(rec *urlbatch.Record, reason string, now time.Time, wait time.Duration) error {
	if final(reason) {
		return o.giveUp(rec, reason)
	}
	tries := rec.Int(urlbatch.Tries) + 1
	rec.SetInt(urlbatch.Tries, tries)
	if tries >= o.maxTries {
		return o.giveUp(rec, reason)
	}
	o.rep.Count(reason, 1)
	return o.again.Add(rec, now, max(wait, again.Hold(int(tries))))
}

// last tells whether the try under way is rec's last.
func (o *outlet) last(rec *urlbatch.Record) bool {
	return rec.Int(urlbatch.Tries)+1 >= o.maxTries
}

// putOff sends rec to again without charging a try; why is counted.
func (o *outlet) putOff(rec *urlbatch.Record, why string, now time.Time, wait time.Duration) error {
	o.rep.Count(why, 1)
	return o.again.Add(rec, now, wait)
}

// giveUp writes rec with its reason.
func (o *outlet) giveUp(rec *urlbatch.Record, reason string) error {
	if o.failed == nil {
		o.rep.Reason(reason, 1)
		return nil
	}
	o.rep.Count(reason, 1)
	rec.Del(urlbatch.Addr, urlbatch.Until, urlbatch.Delay)
	rec.Set(urlbatch.Reason, reason)
	return o.failed.Write(rec)
}

func (o *outlet) close() error {
	err := o.again.Close()
	if o.failed != nil {
		err = errors.Join(err, o.failed.Close())
	}
	return err
}

// reasonOf names the failure of a request; reached tells whether the server was. ok is
// false for an error that is no fault of the URL.
func reasonOf(err error) (reason string, reached, ok bool) {
	var failed *exchange.Error
	switch {
	case errors.As(err, &failed):
		return failed.Reason, failed.Sent, true
	case errors.Is(err, dial.ErrPrivate):
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

// comeAgain returns how long an answer asks to be left alone, if it is a 429 or 503 that
// does: at most an hour, for a longer wait is better spent on asking once more.
func comeAgain(a *exchange.Answer, now time.Time) (time.Duration, bool) {
	if a.Status != http.StatusTooManyRequests && a.Status != http.StatusServiceUnavailable {
		return 0, false
	}
	value := strings.TrimSpace(a.Header.Get("Retry-After"))
	wait := time.Duration(0)
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	} else {
		return 0, false
	}
	return min(max(wait, 0), again.Longest), true
}

// statusClass names an answer in the report.
func statusClass(a *exchange.Answer) string { return fmt.Sprintf("status-%dxx", a.Status/100) }
