package crawl

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"multitext/manager/internal/sched"
	"multitext/txlog"
)

// status is the line of progress.
func (c *Crawl) status() string {
	var running, waiting []string
	for _, st := range c.Script.Stages {
		n := 0
		for _, r := range c.runs {
			if r.take.Stage == st {
				n++
			}
		}
		if n > 0 {
			running = append(running, st.Name)
		}
	}
	for _, st := range c.Script.Stages {
		if ready, held, _ := c.table.Waiting(st.Name); ready+held > 0 {
			waiting = append(waiting, fmt.Sprintf("%s %d", st.Name, ready+held))
		}
	}
	text := fmt.Sprintf("%s  %d transactions  running: %s", time.Since(c.started).Round(time.Second), c.state.Next-1, strings.Join(running, " "))
	for _, q := range c.Script.Queues {
		if t := c.state.Queues[q.Name]; t != nil && (q.Keep || len(q.Readers) == 0) {
			text += fmt.Sprintf("  %s: %d (%s)", q.Name, t.Records, sched.Bytes(t.Bytes))
		}
	}
	if len(waiting) > 0 {
		text += "  waiting: " + strings.Join(waiting, ", ")
	}
	return text
}

// summary says what was done since the crawl was born, and where to look.
func (c *Crawl) summary(w io.Writer, code int) {
	fmt.Fprintf(w, "\n%s after %s in this run, %d transactions since the crawl was born\n\n", ending(code),
		time.Since(c.started).Round(100*time.Millisecond), c.state.Seq)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stage\truns\tfailed\trecords read\tCPU\tpeak memory\t  what became of them")
	for _, st := range c.Script.Stages {
		m := c.state.Stage(st.Name)
		var fate []string
		for _, q := range st.Out {
			if len(c.Script.Queue(q).Writers) == 1 && c.state.Queues[q] != nil {
				fate = append(fate, fmt.Sprintf("%s → %s", records(c.state.Queues[q]), q))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(m.Reasons)) {
			fate = append(fate, fmt.Sprintf("%d %s", m.Reasons[name], name))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t  %s\n", st.Name, m.Commits, m.Aborts, m.Records,
			m.CPU.Round(10*time.Millisecond), sched.Bytes(m.Memory), strings.Join(fate, ", "))
	}
	t.Flush()
	c.products(w)
	c.asideList(w)
	fmt.Fprintf(w, "\nMore: manager status|log|ls %s\n", c.Script.Path)
}

// records are the records ever committed to a queue, where somebody counted.
func records(t *txlog.Total) string {
	if t.Records == 0 {
		return "–"
	}
	return fmt.Sprint(t.Records)
}

func ending(code int) string {
	return map[int]string{
		ExitDone: "Done", ExitFailed: "Ended with failed work", ExitStopped: "Stopped with work waiting", ExitLimit: "Stopped at its limit, with work waiting",
	}[code]
}

// products are the queues whose batches stay.
func (c *Crawl) products(w io.Writer) {
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	for _, q := range c.Script.Queues {
		total := c.state.Queues[q.Name]
		if total == nil || !q.Keep && len(q.Readers) > 0 {
			continue
		}
		fmt.Fprintf(t, "  %s\t%s records\t%d batches\t%s\t%s\n", q.Name, records(total), total.Batches, sched.Bytes(total.Bytes), c.Dir.Path(q.Name))
	}
	fmt.Fprintln(w, "\nWhat it leaves:")
	t.Flush()
}

// asideList names what was set aside.
func (c *Crawl) asideList(w io.Writer) {
	for _, st := range c.Script.Stages {
		if _, _, aside := c.table.Waiting(st.Name); aside > 0 {
			fmt.Fprintf(w, "\n%d batches of %s were set aside; see manager status %s, and put them back with manager retry %s %s\n",
				aside, st.Name, c.Script.Path, c.Script.Path, st.Name)
		}
	}
}
