package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

// learn adds the answers in the inputs to the state of known pages.
func learn(ctx context.Context, env *stage.Env, c config) error {
	set, err := segment.OpenSet(c.known, env.Hash)
	if err != nil {
		return err
	}
	defer set.Close()
	l := &learner{schedule: c.schedule, alike: c.alike, now: c.now, known: set, met: map[uint64]page{}}
	err = warc.Each(ctx, env.Inputs, env.Stdin, env.Report, func(_ *warc.Reader, a *warc.Answer) error {
		reason, err := l.answer(a)
		if err == nil {
			env.Report.Reason(reason, 1)
		}
		return err
	})
	if err != nil {
		return err
	}
	var b segment.Entries
	for key, p := range l.met {
		b.Add(key, p.encode())
	}
	return set.Append(env.Files, c.segment, b, env.Report)
}

type learner struct {
	schedule schedule
	alike    bool // -alike: a nearly unchanged page counts as unchanged
	now      time.Time
	known    *segment.Set
	met      map[uint64]page // pages visited in this run
}

// answer processes one answer and returns the reason to report for it.
func (l *learner) answer(a *warc.Answer) (reason string, err error) {
	s, ok, err := sight(a)
	if err != nil || !ok {
		return "ignored", err
	}
	p, found, err := l.find(s.url)
	if err != nil {
		return "", err
	}
	switch {
	case !found && s.page:
		reason = "learned"
		p = page{url: s.url, visited: s.at, captured: s.at, interval: l.schedule.first}
	case !found:
		return "ignored", nil
	case !s.at.After(p.visited) && !p.ahead(l.now):
		return "late", nil
	case s.version == 0 || p.version == 0 && !s.same:
		reason = "trouble" // nothing can be compared
	default:
		reason = l.visit(&p, s)
	}
	p.visited, p.depth, p.visits = s.at, s.depth, p.visits+1
	if s.version != 0 && !s.same {
		if p.version == 0 {
			p.captured = s.at
		}
		p.version, p.etag, p.modified = s.version, s.etag, s.modified
	}
	l.met[keyOf(l.known.Hash(), s.url)] = p
	return reason, nil
}

// visit updates a known page after a visit that showed its version.
func (l *learner) visit(p *page, s seen) (reason string) {
	other := !s.same && s.version != p.version
	if other {
		p.captured = s.at
	}
	changed := other && !(l.alike && s.alike)
	p.interval = l.schedule.next(p.interval, s.at.Sub(p.visited), changed)
	if !changed {
		return "unchanged"
	}
	p.changes++
	return "changed"
}

func (l *learner) find(url string) (p page, found bool, err error) {
	key := keyOf(l.known.Hash(), url)
	if p, ok := l.met[key]; ok && p.url == url {
		return p, true, nil
	}
	value, ok, err := l.known.Get(key)
	if err != nil || !ok {
		return p, false, err
	}
	p, err = decodePage(value)
	return p, err == nil && p.url == url, err
}

// seen is what one answer shows about a page.
type seen struct {
	url            string
	at             time.Time
	depth          int64
	page           bool // the answer makes a page known
	same           bool // the server says that the page is not modified
	alike          bool // xdup says that the page is nearly unchanged
	version        uint64
	etag, modified string
}

// sight evaluates an answer. ok is false if the answer shows nothing about a page. An error means
// that the file is damaged.
//
// A 2xx answer is a new version if its payload digest differs. A redirect is a new version if its
// Location differs, a 4xx answer other than 429 if its status differs. A revisit record of "server
// not modified", a 304, is the same version. 5xx, 429 and answers without a digest (they were cut)
// show nothing, and the next visit follows after the same interval. A page that is gone is still
// visited, and soon only every -most.
//
// Many pages are different at each visit: they have a date, a counter or a session number. With
// -alike a page counts as unchanged if xdup -near has marked it as nearly unchanged. But so does a
// news page with one new headline.
func sight(a *warc.Answer) (s seen, ok bool, err error) {
	h, err := a.HTTP()
	if damage := warc.Damage(err); damage != nil {
		return s, false, damage
	}
	at, dateErr := a.Date()
	if err != nil || dateErr != nil {
		return s, false, nil
	}
	rec := a.Record()
	s = seen{url: rec.URL(), at: at, depth: rec.Int(urlbatch.Depth)}
	near, _ := rec.Get(urlbatch.Near)
	s.alike = near == s.url
	class := h.Status / 100
	switch {
	case h.Status == 304:
		s.same, s.version = true, 1
	case class == 2:
		s.page = true
		s.etag, s.modified = validator(h.Header.Get("ETag"), 256), validator(h.Header.Get("Last-Modified"), 64)
		if d := a.PayloadDigest(); d != "" {
			s.version = versionOf(strings.ToLower(d))
		}
	case class == 3:
		s.page = true
		s.version = versionOf("location " + h.Header.Get("Location"))
	case class == 4 && h.Status != 429:
		s.version = versionOf(fmt.Sprint("status ", h.Status))
	}
	return s, true, nil
}

// versionOf returns the number of a version. It is never 0, which means no version.
func versionOf(what string) uint64 { return max(xxhash.Sum64String(what), 1) }

// validator returns a header field if it may be sent back, that is, if it is printable and not
// long, else "". The result is a copy, so that the page does not keep the whole head in memory.
func validator(value string, most int) string {
	if len(value) > most {
		return ""
	}
	for i := range len(value) {
		if c := value[i]; c < 0x20 || c > 0x7e {
			return ""
		}
	}
	return strings.Clone(value)
}
