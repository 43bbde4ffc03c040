package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// size is that of a web: pages on all hosts together.
type size struct{ pages, hosts int }

// sizes are those of all webs, in the order of the command line: a list of one number goes with
// each of the other list.
func (o *options) sizes() (all []size) {
	for i := range max(len(o.pages), len(o.hosts)) {
		all = append(all, size{o.pages[min(i, len(o.pages)-1)], o.hosts[min(i, len(o.hosts)-1)]})
	}
	return all
}

// numbers is the value of a flag: positive numbers, commas between.
type numbers []int

func (ns *numbers) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(*ns)), " ", ","), "[]")
}

func (ns *numbers) Set(list string) error {
	*ns = nil
	for item := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 {
			return errors.New("want numbers, commas between")
		}
		*ns = append(*ns, n)
	}
	return nil
}

// printSizes holds the webs of several sizes against the first, for each crawler.
func printSizes(w io.Writer, results []*result) error {
	fmt.Fprintln(w, "\nby the size of the web; × is how many times the figure of the first size")
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tpages\thosts\tanswers a page\tpages/s\t×\tCPU s/1,000 pages\t×\tCPU µs an answer\t×\t")
	for i, c := range results[0].Contestants {
		for _, r := range results {
			answers := r.Contestants[i].Figures["answers"].Median / float64(r.Pages)
			fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t", c.Name, number(float64(r.Pages), 0), number(float64(r.Hosts), 0),
				answers)
			for _, f := range figures()[:3] {
				first, here := c.Figures[f.key].Median, r.Contestants[i].Figures[f.key].Median
				fmt.Fprintf(t, "%s\t%.2f\t", number(here, f.decimals), here/first)
			}
			fmt.Fprintln(t)
		}
	}
	return t.Flush()
}
