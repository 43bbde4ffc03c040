package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
)

// explain prints, for each URL, a block of lines: the URL, then lines of the form "  label: text".
// What strangers wrote is printed escaped.
func (o *options) explain(env *stage.Env, state *waiting.State, by *order.Order, now time.Time) error {
	var urls []string
	for _, arg := range env.Inputs {
		url, err := canon.Parse(arg)
		if err != nil {
			return stage.Usagef("explain %q: %w", arg, err)
		}
		urls = append(urls, url)
	}
	hosts, found, err := state.Find(urls...)
	if err != nil {
		return err
	}
	for i, url := range urls {
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		x := &explainer{options: o, w: env.Stdout, by: by, now: now, host: hosts[canon.Hostname(url)]}
		if err := x.url(url, found[url]); err != nil {
			return err
		}
	}
	return nil
}

// An explainer prints one block.
type explainer struct {
	*options
	w    io.Writer
	by   *order.Order
	now  time.Time
	host *waiting.Host
}

func (x *explainer) line(label, format string, args ...any) {
	fmt.Fprintf(x.w, "  %-8s%s\n", label+":", fmt.Sprintf(format, args...))
}

func (x *explainer) url(url string, found []waiting.Found) error {
	_, err := fmt.Fprintln(x.w, escaped(url))
	for _, f := range found {
		if err := x.place(&f); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		x.line("waits", "no; trace -crawl DIR URL tells what became of it")
	}
	if x.host == nil {
		x.line("host", "nothing is known of %s", escaped(canon.Hostname(url)))
		return err
	}
	x.known()
	if len(found) > 0 {
		x.bounds(&found[len(found)-1])
	}
	return err
}

// place prints where the URL waits, and when it will be asked for.
func (x *explainer) place(f *waiting.Found) error {
	rec, err := urlbatch.Parse(f.Line)
	if err != nil {
		return err
	}
	x.line("waits", "in band %d of 0 to 255: %s", f.Band, order.Explain(x.order, f.Band, rec))
	if band := order.Own(x.by, rec); band != f.Band {
		x.line("order", "its record alone would put it into band %d now", band)
	}
	if l := f.Links; l != nil {
		x.line("links", "%d from fetched pages, %d of them of other sites; cash %.3g; greatest score %.3g", l.All,
			l.Others, l.Cash, l.Score)
	}
	if m := x.by.Model(); m != nil {
		x.line("learned", "a page like it is expected to be worth %.2f", 1/(1+math.Exp(-m.Predict(rec))))
	}
	if via, ok := rec.Get(urlbatch.Via); ok {
		x.line("found", "on %s", escaped(via))
	} else {
		x.line("found", "on no page: it has no via=, as a seed")
	}
	before, h := f.Better+f.Before, x.host
	x.line("before", "%d URLs of %s: %d in better bands, %d in its own", before, escaped(h.Name), f.Better, f.Before)
	x.line("turn", "%s: the next turn of its host is %s, then come %d × %v; what comes in before it adds to that",
		when(h.After(before), x.now), when(h.Next, x.now), before, h.Step)
	return nil
}

// known prints what is known of the host.
func (x *explainer) known() {
	h := x.host
	pace := fmt.Sprintf("%v between two requests and %v for an answer, as fetch saw them last", h.Pause, h.Took)
	if h.Pause == 0 && h.Took == 0 {
		pace = fmt.Sprintf("a pace that is not known; -delay %v is expected", h.Step/time.Duration(h.Share))
	}
	if h.Address != "" {
		pace += "; at " + escaped(h.Address)
	}
	x.line("host", "%d URLs wait, %d requests so far, %s", h.Waiting, h.Asked, pace)
	x.budget("host", h.Had, x.budgets.host)
	x.budget("domain", h.DomainHad, x.budgets.domain)
	if !h.Held.IsZero() {
		x.line("held", "it is left alone; it may be asked again %s", when(h.Held, x.now))
	}
	if h.Silent > 0 {
		x.line("silent", "runs of fetch without an answer, one after the other: %d; each time it is left alone for "+
			"twice as long, at most 1h", h.Silent)
	}
	if h.Yield < 1 {
		x.line("yield", "its last answers were worth %.2f of 1 in the mean, those of all hosts %.2f", h.Yield,
			h.AllYield)
	}
	if h.Share > 1 {
		x.line("yield", "for that it gets 1/%d of its turn, and its new URLs 1/%[1]d of what the order gives them",
			h.Share)
	}
	if h.Slow {
		x.line("slow", "its URLs are in the batches of -slow")
	}
}

// bounds prints what may delay a URL beyond the pace of its host.
func (x *explainer) bounds(f *waiting.Found) {
	h := x.host
	switch {
	case h.Silent > 0:
		x.line("later", "where a batch has one URL of it: it did not answer last")
	case h.Asked == 0:
		x.line("later", "where a batch has few URLs of it: it was never asked")
	}
	if f.Failed {
		x.line("later", "what failed before goes into long batches, or where nothing else is due")
	}
	x.line("later", "where a batch is full (-urls %d) by better bands of other hosts, or by others at its address "+
		"(-address-delay %v)", x.urls, x.addressDelay)
	x.line("sooner", "it is handed out before its turn, by at most %v (3 × -for)", 3*x.span)
}

// escaped makes what strangers wrote safe to print.
func escaped(text string) string {
	const most = 500
	if text = urlbatch.New(text).URL(); len(text) > most {
		text = text[:most] + "..."
	}
	return text
}
