package experiment

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// columns are those of a table; RESULTS.md says what they mean.
func columns() []string {
	return []string{"control", "mean %", "p5 %", "p95 %", "peak %", "predicted %", "error %", "miss %", "passed",
		"starts",
		"wait s", "fast wait s", "fast most s", "fast n"}
}

// WriteTable writes the results of one scenario as a Markdown table. Rates are percents of the
// limit.
func WriteTable(w io.Writer, s Scenario, results []Result) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "### %s: %s\n\n", s.Name, s.About)
	row(b, columns()...)
	row(b, strings.Fields("---"+strings.Repeat(" ---:", len(columns())-1))...)
	for _, r := range results {
		row(b, r.Way, percent(r.Mean), percent(r.P5), percent(r.P95), percent(r.Peak), percent(r.Booked),
			percent(r.Error), percent(r.Miss),
			fmt.Sprintf("%.1f", r.Passed), fmt.Sprint(r.Starts), seconds(r.Wait), seconds(r.FastWait),
			seconds(r.FastMost), fmt.Sprint(r.FastN))
	}
	fmt.Fprintln(b)
	return b.Flush()
}

func row(w io.Writer, cells ...string) { fmt.Fprintln(w, "|", strings.Join(cells, " | "), "|") }

func percent(share float64) string {
	if math.IsNaN(share) {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*share)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

// WriteCurve writes the seconds of a result as tab-separated values, in bytes.
func WriteCurve(w io.Writer, r Result) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "second\tmeasured\tpredicted\tassigned")
	for i, p := range r.Curve {
		fmt.Fprintf(b, "%d\t%.0f\t%.0f\t%.0f\n", i, p.Measured, p.Predicted, p.Assigned)
	}
	return b.Flush()
}
