package main

import (
	"strings"
	"time"

	"multitext/stages/internal/again"
	"multitext/stages/internal/dial"
	"multitext/stages/internal/report"
	"multitext/stages/internal/robots"
	"multitext/stages/internal/urlbatch"
)

// A verdict is what robots.txt says of one record.
type verdict struct {
	allowed bool
	delay   time.Duration
}

// A judge sends each record of a run where it belongs.
type judge struct {
	now      time.Time
	patience time.Duration
	maxTries int64
	finder   *dial.Finder
	verdicts map[*urlbatch.Record]verdict // of records whose origin is known

	ready   *urlbatch.Writer
	again   *again.Writer
	refused *urlbatch.Writer // nil: only counted
	rep     *report.Report
}

// decide judges the records of one origin by the text of its robots.txt. All of them come
// together, so that one parsed robots.txt is in memory at a time.
func (j *judge) decide(records []*urlbatch.Record, text []byte, token string) {
	rules := robots.Parse(text, token)
	for _, rec := range records {
		j.verdicts[rec] = verdict{rules.Judge(rec.URL()).Allowed, rules.CrawlDelay()}
	}
}

// judge writes rec by what is known of its origin; e is nil if there was no time to ask.
func (j *judge) judge(rec *urlbatch.Record, e *entry) error {
	if e == nil {
		j.rep.Count("no-time", 1)
		return j.again.Add(rec, j.now, again.Shortest)
	}
	switch e.kind {
	case known:
		return j.known(rec, e)
	case notNow:
		return j.notNow(rec, e)
	case notReached:
		return j.notReached(rec, e)
	case noHost:
		return j.refuse(rec, e.reason)
	}
	return j.refuse(rec, "private-address")
}

// known goes by the verdict and pins the addresses.
func (j *judge) known(rec *urlbatch.Record, e *entry) error {
	addrs := e.addrs
	if !e.named {
		var err error
		if addrs, err = j.finder.Allowed(addrs); err != nil {
			return j.refuse(rec, "private-address")
		}
	}
	v := j.verdicts[rec]
	if !v.allowed {
		return j.refuse(rec, "robots")
	}
	words := make([]string, len(addrs))
	for i, addr := range addrs {
		words[i] = addr.String()
	}
	rec.Del(urlbatch.Since, urlbatch.Delay)
	rec.Set(urlbatch.Addr, strings.Join(words, ","))
	rec.SetInt(urlbatch.Until, e.expiry.Unix())
	if v.delay > 0 {
		rec.SetInt(urlbatch.Delay, v.delay.Milliseconds())
	}
	return j.ready.Write(rec)
}

// notNow lets the record wait until the host may be asked again. It costs no try.
func (j *judge) notNow(rec *urlbatch.Record, e *entry) error {
	since := rec.Int(urlbatch.Since)
	if since == 0 {
		since = j.now.Unix()
		rec.SetInt(urlbatch.Since, since)
	}
	if j.now.Sub(time.Unix(since, 0)) > j.patience {
		return j.refuse(rec, "robots-unreachable")
	}
	j.rep.Count(e.reason, 1)
	return j.again.Add(rec, j.now, e.expiry.Sub(j.now))
}

// notReached charges a try, if the server was in fact tried by this run. A server that was
// tried in vain for as long as all tries of a URL take is given up for every URL: else each
// that is found later would begin its tries anew, with waits that have grown meanwhile.
func (j *judge) notReached(rec *urlbatch.Record, e *entry) error {
	if e.renewed {
		rec.SetInt(urlbatch.Tries, rec.Int(urlbatch.Tries)+1)
	}
	if rec.Int(urlbatch.Tries) >= j.maxTries || j.now.Sub(e.since) >= again.Hold(int(j.maxTries)-1) {
		return j.refuse(rec, e.reason)
	}
	j.rep.Count(e.reason, 1)
	return j.again.Add(rec, j.now, e.expiry.Sub(j.now))
}

// refuse writes rec with its reason.
func (j *judge) refuse(rec *urlbatch.Record, reason string) error {
	if j.refused == nil {
		j.rep.Reason(reason, 1)
		return nil
	}
	j.rep.Count(reason, 1)
	rec.Set(urlbatch.Reason, reason)
	return j.refused.Write(rec)
}
