package main

import (
	"fmt"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/percent"
	"multitext/stages/internal/web/canon"
)

// An event is a place where a URL was found: a record of a URL batch, or an answer.
type event struct {
	batch
	rec   *urlbatch.Record
	times int // number of such records in the batch; the record is the first one

	band   string // in which it waits in the state of a frontier; "": it is in a batch
	answer bool   // it is an answer; only then are these set:
	date   time.Time
	offset int64
	status int    // 0: not an HTTP answer
	what   string // status and type, or what else was received
	leads  string // target of a redirect
	same   string // why the record has no body; "" if it has one
}

// answerOf returns the event of an answer.
func answerOf(b batch, a *warc.Answer, rec *urlbatch.Record, offset int64) event {
	e := event{batch: b, rec: rec.Clone(), times: 1, answer: true, offset: offset, what: "no HTTP"}
	e.date, _ = a.Date()
	if h, err := a.HTTP(); err == nil {
		e.status = h.Status
		mime, _, _ := strings.Cut(h.Header.Get("Content-Type"), ";")
		e.what = strings.TrimSpace(fmt.Sprint(h.Status, " ", safe(strings.TrimSpace(mime))))
		if location := h.Header.Get("Location"); location != "" && h.Status/100 == 3 {
			e.leads = safe(target(rec.URL(), location))
		}
	}
	switch {
	case a.NotModified():
		e.same = "as it was"
	case a.Revisit():
		e.same = "the body of " + safe(a.Field("WARC-Refers-To-Target-URI"))
	case a.Truncated() != "":
		e.what += ", cut (" + safe(a.Truncated()) + ")"
	}
	return e
}

// target returns the URL to which a Location leads, or the unchanged Location if it is not a URL.
func target(url, location string) string {
	if to, err := canon.Resolve(url, location); err == nil {
		return to
	}
	return location
}

// outcome returns what one answer means for its URL.
func (e *event) outcome() string {
	switch {
	case e.to != "":
		return "fetched, and its page sent to " + safe(e.to) + ", for which it waits in " + safe(e.queue)
	case e.status/100 != 2 && e.leads != "":
		return fmt.Sprintf("fetched: %d to %s", e.status, e.leads)
	case e.status == 0:
		return "fetched: " + e.what
	case e.status/100 != 2:
		return fmt.Sprint("fetched: ", e.status)
	case e.same != "":
		return "duplicate"
	}
	return "fetched"
}

// visited reports whether the URL had been fetched before. Then no attribute names the page with
// the link.
func (e *event) visited() bool { return e.get(urlbatch.Visit) != "" }

// found maps each URL to its events.
type found map[string][]event

// add adds a record of a URL batch. If the batch has another record of the URL with the same
// reason, add only counts it.
func (f found) add(b batch, rec *urlbatch.Record) {
	e := event{batch: b, rec: rec, times: 1}
	events := f[rec.URL()]
	for i := range events {
		if old := &events[i]; old.batch == b && !old.answer && old.reason() == e.reason() {
			old.times++
			return
		}
	}
	e.rec = rec.Clone()
	f[rec.URL()] = append(events, e)
}

// addAnswer adds an answer unless it was added before. One reader may have copied the records of a
// batch while the batch still waits for another reader.
func (f found) addAnswer(e event) {
	url := e.rec.URL()
	for _, old := range f[url] {
		if old.answer && old.date.Equal(e.date) {
			return
		}
	}
	f[url] = append(f[url], e)
}

// get returns an attribute in a form that is safe to print, or "" if it is absent.
func (e *event) get(key string) string {
	value, _ := e.rec.Get(key)
	return safe(value)
}

// via returns the page with the link, or "" for a seed.
func (e *event) via() string {
	via, _ := e.rec.Get(urlbatch.Via)
	return via
}

// reason returns the reason why the record went no further, or "".
func (e *event) reason() string {
	if e.answer {
		return ""
	}
	return e.get(urlbatch.Reason)
}

// String returns the output line of the event.
func (e *event) String() string {
	var parts []string
	switch {
	case e.answer:
		parts = append(parts, e.date.UTC().Format(time.RFC3339)+" "+e.what)
		if e.leads != "" {
			parts = append(parts, "to "+e.leads)
		}
		if e.same != "" {
			parts = append(parts, e.same)
		}
	case e.reason() != "":
		parts = append(parts, "reason "+e.reason())
	case e.band != "":
		parts = append(parts, "waits in band "+e.band)
	default:
		parts = append(parts, "waits")
	}
	if e.to != "" {
		parts = append(parts, "for "+safe(e.to))
	}
	parts = append(parts, fmt.Sprint("depth ", e.rec.Int(urlbatch.Depth)))
	for _, key := range []string{urlbatch.Tries, urlbatch.Outages, urlbatch.Visit, urlbatch.Rel, urlbatch.Near} {
		if value := e.get(key); value != "" {
			parts = append(parts, key+" "+value)
		}
	}
	if e.times > 1 {
		parts = append(parts, fmt.Sprint(e.times, " times"))
	}
	place := safe(e.place())
	if e.answer {
		place += fmt.Sprint(" at byte ", e.offset)
	}
	return fmt.Sprintf("%-8s %-9s %s", e.transaction(), safe(e.queue), strings.Join(append(parts, place), ", "))
}

func (b batch) transaction() string {
	if b.tx == 0 {
		return "tx -"
	}
	return fmt.Sprint("tx ", b.tx)
}

// safe makes untrusted text safe and short enough to print on a terminal. It keeps blanks.
func safe(s string) string {
	s = strings.NewReplacer("%20", " ", "%25", "%").Replace(percent.Escape(s))
	if len(s) > 500 {
		s = s[:500] + "..."
	}
	return s
}
