package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/stage"
)

// overBudget is the reason for which URLs leave whose host or domain has had its budget.
const overBudget = "over-budget"

// budgets are the values of -budget.
type budgets struct{ host, domain waiting.Budget }

// set parses UNIT=PAGES or UNIT=PAGES,SIZE.
func (b *budgets) set(s string) error {
	unit, amount, _ := strings.Cut(s, "=")
	pages, text, sized := strings.Cut(amount, ",")
	n, err := strconv.ParseUint(pages, 10, 53)
	var size stage.Size
	if sized && err == nil {
		err = size.Set(text)
	}
	of := map[string]*waiting.Budget{"host": &b.host, "domain": &b.domain}[unit]
	switch {
	case err != nil || of == nil:
		return fmt.Errorf("%q: want UNIT=PAGES or UNIT=PAGES,SIZE, such as host=1000 or domain=5000,2GB", s)
	case n == 0 && size == 0:
		return fmt.Errorf("%q bounds nothing: leave it out", s)
	case *of != waiting.Budget{}:
		return errors.New("there is a second budget for each " + unit)
	}
	*of = waiting.Budget{Pages: n, Bytes: uint64(size)}
	return nil
}

// overs takes the URLs that are over a budget.
type overs struct {
	out    *urlbatch.Writer // nil: they end here
	waited int64            // that were in the state
}

func (r *run) newOvers() *overs {
	o := &overs{}
	if r.over != "" {
		o.out = urlbatch.NewWriter(r.env.Files, r.over, r.env.Report.Made)
	}
	return o
}

func (o *overs) write(rec *urlbatch.Record) error {
	if o.out == nil {
		return nil
	}
	rec.Set(urlbatch.Reason, overBudget)
	return o.out.Write(rec)
}

// isOver tells whether rec is over a budget; then it leaves.
func (r *run) isOver(rec *urlbatch.Record) (bool, error) {
	over, err := r.state.Over(rec)
	if err != nil || !over {
		return false, err
	}
	if err := r.lost.Take(rec, overBudget); err != nil {
		return false, err
	}
	return true, r.overs.write(rec)
}

// leaves takes the line of a record that waited and is over a budget.
func (r *run) leaves(line []byte) error {
	r.overs.waited++
	rec, err := urlbatch.Parse(line)
	if err != nil {
		return err
	}
	return r.overs.write(rec)
}

// close closes the output, and reports how many URLs have left the state. (Those that came in in this
// run have their reason.)
func (o *overs) close(env *stage.Env) error {
	if o.waited > 0 {
		env.Report.Count("waited-"+overBudget, o.waited)
	}
	if o.out == nil {
		return nil
	}
	return o.out.Close()
}

// budget prints what of a budget is used.
func (x *explainer) budget(unit string, had, most waiting.Budget) {
	if most == (waiting.Budget{}) {
		return
	}
	text, spent := "", false
	for _, of := range []struct {
		had, most uint64
		what      string
	}{{had.Pages, most.Pages, "pages"}, {had.Bytes, most.Bytes, "bytes"}} {
		if of.most > 0 {
			text += fmt.Sprintf(", %d of %d %s", of.had, of.most, of.what)
			spent = spent || of.had >= of.most
		}
	}
	x.line("budget", "of the %s%s", unit, text)
	if spent {
		x.line("budget", "it is spent: new URLs are turned away, and those that wait leave at the next turn")
	}
}
