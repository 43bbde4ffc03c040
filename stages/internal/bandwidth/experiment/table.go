package experiment

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"time"
)

// WriteTable writes results for people: a line each, columns by tabs, shares of the limit in percent.
func WriteTable(w io.Writer, results []Result) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "scenario\tcontrol\tmean %\tp5 %\tp95 %\tpeak %\tpredicted %\terror %\tmiss %\tpassed\tstarts\twait s\tfast wait s\tfast most s\tfast n")
	for _, r := range results {
		fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t%d\t%s\t%s\t%s\t%d\n", r.Scenario, r.Way,
			percent(r.Mean), percent(r.P5), percent(r.P95), percent(r.Peak), percent(r.Booked), percent(r.Error), percent(r.Miss),
			r.Passed, r.Starts, seconds(r.Wait), seconds(r.FastWait), seconds(r.FastMost), r.FastN)
	}
	return b.Flush()
}

func percent(share float64) string {
	if math.IsNaN(share) {
		return "-"
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
