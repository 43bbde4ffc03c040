package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// print writes the result for people.
func (r *result) print(w io.Writer) error {
	rounds := "one round"
	if n := len(r.Contestants[0].Runs); n > 1 {
		rounds = fmt.Sprintf("%d rounds in turn: median (least to most)", n)
	}
	fmt.Fprintf(w, "%s pages on %s hosts, robots.txt obeyed, no delay; %s\n", number(float64(r.Pages), 0),
		number(float64(r.Hosts), 0), rounds)
	fmt.Fprintf(w, "work in %s, on %s, removed\n\n", r.Work.Dir, r.Work.Filesystem)
	if err := r.printFigures(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return r.printStages(w)
}

func (r *result) printFigures(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, c := range r.Contestants {
		fmt.Fprint(t, "\t", c.Name)
	}
	fmt.Fprintln(t)
	for _, f := range figures() {
		if _, known := r.Contestants[0].Figures[f.key]; !known {
			continue // nothing was watched
		}
		fmt.Fprint(t, f.title)
		for _, c := range r.Contestants {
			s := c.Figures[f.key]
			fmt.Fprint(t, "\t", number(s.Median, f.decimals))
			if s.Min != s.Max {
				fmt.Fprintf(t, " (%s to %s)", number(s.Min, f.decimals), number(s.Max, f.decimals))
			}
		}
		fmt.Fprintln(t)
		if !f.compared {
			continue
		}
		fmt.Fprint(t, "  multitext is")
		for _, c := range r.Contestants {
			if ratio := c.Figures[f.key].Ratio; ratio != nil {
				fmt.Fprintf(t, "\t%.2f ×", *ratio)
			} else {
				fmt.Fprint(t, "\t")
			}
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\n× is how many times the column's figure multitext's is. "+
		"What each line means: go doc multitext/examples/rigs/bench")
	return err
}

func (r *result) printStages(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stage\truns\tCPU µs a page\tshare\tpeak resident MB\t")
	var total, runs float64
	for _, s := range r.Stages {
		memory := "–"
		if s.Memory > 0 {
			memory = number(s.Memory/1e6, 1)
		}
		fmt.Fprintf(t, "%s\t%g\t%.1f\t%.1f %%\t%s\t\n", s.Name, s.Runs, s.CPU/float64(r.Pages)*1e6, s.Share*100, memory)
		total, runs = total+s.CPU, runs+s.Runs
	}
	fmt.Fprintf(t, "all\t%g\t%.1f\t\t\t\n", runs, total/float64(r.Pages)*1e6)
	if err := t.Flush(); err != nil {
		return err
	}
	syncs := "fsyncs not counted"
	if r.Fsyncs != nil {
		syncs = number(float64(*r.Fsyncs), 0) + " fsyncs"
	}
	_, err := fmt.Fprintf(w, "\n%s transactions, %s\n", number(float64(r.Transactions), 0), syncs)
	return err
}

// number is v with commas.
func number(v float64, decimals int) string {
	text := fmt.Sprintf("%.*f", decimals, v)
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if decimals == 0 {
		return whole
	}
	return whole + "." + rest
}
