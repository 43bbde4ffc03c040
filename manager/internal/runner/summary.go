package runner

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/progress"
	"multitext/script"
	"multitext/txlog"
)

// summary prints what the crawl has done since it began, and which verbs show more.
func (c *runner) summary(w io.Writer, code int) {
	fmt.Fprintf(w, "\n%s after %s in this run, %s since the crawl began\n\n", ending(code),
		time.Since(c.started).Round(100*time.Millisecond), figure.Count(c.state.Seq(), "transaction"))
	c.stageTable(w)
	c.products(w)
	c.asideList(w)
	if code == crawl.ExitDone {
		c.unreached(w)
	}
	progress.PrintReasons(w, progress.Reasons(c.state))
	fmt.Fprintf(w, "\nMore: %s; and log, ls, why\n", c.call("status"))
	if code == crawl.ExitStopped || code == crawl.ExitLimit {
		fmt.Fprintf(w, "To continue: %s\n", c.call("run"))
	}
}

// stageTable has a row for each stage of the script, then for those that are not in the script any
// more. Below it are the totals of queues that several stages write.
func (c *runner) stageTable(w io.Writer) {
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stage\truns\tfailed\trecords read\tCPU\tpeak memory\t  what became of them")
	row := func(label string, m txlog.Stage, fate []string) {
		for _, name := range slices.Sorted(maps.Keys(m.Reasons)) {
			fate = append(fate, fmt.Sprintf("%d %s", m.Reasons[name], name))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t  %s\n", label, m.Commits, m.Aborts, figure.Number(m.Records),
			m.CPU.Round(10*time.Millisecond), figure.Size(m.Memory), strings.Join(fate, ", "))
	}
	var shared []string
	for _, st := range c.Script.Stages {
		var fate []string
		for _, name := range st.Out {
			q, total := c.Script.Queue(name), c.state.Queue(name)
			switch {
			case total.Batches == total.Brought:
			case len(q.Writers) == 1:
				fate = append(fate, ever(total)+" → "+name)
			case q.Writers[0] == st:
				shared = append(shared, fmt.Sprintf("  %s → %s, by %s together", ever(total), name, names(q.Writers)))
			}
		}
		row(st.Name, c.state.Stage(st.Name), fate)
	}
	for _, name := range c.state.Stages() {
		if m := c.state.Stage(name); c.Script.Stage(name) == nil && name != "" && m.Commits+m.Aborts > 0 {
			row(name+" (no more in the script)", m, nil)
		}
	}
	t.Flush()
	for _, line := range shared {
		fmt.Fprintln(w, line)
	}
}

func names(stages []*script.Stage) string {
	var out []string
	for _, st := range stages {
		out = append(out, st.Name)
	}
	return strings.Join(out, " and ")
}

// ever returns what stages ever committed to a queue. It is a number of records, or of batches if
// their records are unknown. Records are always unknown for batches from outside.
func ever(t txlog.Total) string {
	if t.Records == 0 {
		return figure.Count(t.Batches-t.Brought, "batch")
	}
	return fmt.Sprint(t.Records)
}

func ending(code int) string {
	return map[int]string{
		crawl.ExitDone:    "Done",
		crawl.ExitFailed:  "Ended with failed work",
		crawl.ExitStopped: "Stopped with work waiting",
		crawl.ExitLimit:   "Stopped at its limit, with work waiting",
	}[code]
}

// products prints the queues whose batches stay, and how much they contain. For an exported queue
// it prints the total ever committed, because its batches may be gone.
func (c *runner) products(w io.Writer) {
	live := c.live()
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	head := "\nWhat it leaves:\n"
	for _, q := range c.Script.Queues {
		total := live[q.Name]
		if q.Export {
			total = c.state.Queue(q.Name)
		}
		if total.Batches == 0 || !crawl.IsProduct(q) {
			continue
		}
		fmt.Fprint(w, head)
		head = ""
		records := "- records"
		if total.Records > 0 {
			records = figure.Count(total.Records, "record")
		}
		place := c.Dir.Path(q.Name)
		if q.Export {
			place += ", from which others take it"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", q.Name, records, figure.Count(total.Batches, "batch"),
			figure.Bytes(total.Bytes), place)
	}
	t.Flush()
}

// live returns the totals of the live batches of each queue.
func (c *runner) live() map[string]txlog.Total {
	sums := map[string]txlog.Total{}
	for name, b := range c.state.Batches() {
		sum := sums[name.Queue()]
		sum.Batches++
		sum.Bytes += b.Size
		sum.Records += max(b.Records, 0)
		sums[name.Queue()] = sum
	}
	return sums
}

// unreached returns the stages that never got an input, for instance fetch if every seed was
// refused.
func (c *runner) unreached(w io.Writer) {
	var stages []string
	for _, st := range c.Script.Stages {
		if m := c.state.Stage(st.Name); len(st.In) > 0 && m.Commits+m.Aborts == 0 {
			stages = append(stages, st.Name)
		}
	}
	if stages != nil {
		fmt.Fprintf(w, "\nNothing ever came to %s.\n", strings.Join(stages, ", "))
	}
}

// asideList prints how much was set aside, and what the user can do about it.
func (c *runner) asideList(w io.Writer) {
	for _, st := range c.Script.Stages {
		if aside := c.table.Waiting(st.Name).Aside; aside > 0 {
			fmt.Fprintf(w, "\nset aside by %s: %s\n  why: %s\n  to put back: %s %s\n",
				st.Name, figure.Count(aside, "batch"), c.call("status"), c.call("retry"), st.Name)
		}
	}
}
