package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A row is a web: healthy hosts, and so many that are not.
type row struct {
	name, what string
	faults     string                // of testweb, blanks between; the hostile hosts have one after the other
	hostile    func(healthy int) int // hosts
}

// slowFaults are those of all kinds that take a crawl's time.
const slowFaults = "silent head-silent head-slow head-endless interim body-silent body-slow body-endless " +
	"length-huge length-long chunk-crumbs chunk-trailer gzip-bomb redirect-endless redirect-loop " +
	"busy-429 busy-503 busy-seconds robots-500 robots-silent robots-slow robots-endless " +
	"trap-calendar trap-path trap-session trap-query trap-hosts trap-random trap-links page-nested"

func rows() []row {
	one := func(int) int { return 1 }
	return []row{
		{"alone", "healthy hosts only", "", func(int) int { return 0 }},
		{"large", "one host with 10,000 links to itself", "links-large", one},
		{"two-drip", "one host with two URLs that drip", "links-two-drip", one},
		{"drip", "one host with 10,000 URLs that drip", "links-drip", one},
		{"third", "a third of the hosts misbehaves, in thirty ways that take time", slowFaults,
			func(healthy int) int { return healthy / 2 }},
		{"names", "40 names at one address, whose robots.txt drip", "names-drip", one},
		{"names-endless", "5,000 such names", "names-endless", one},
	}
}

// choose takes the rows of a list.
func (o *options) choose(list string) error {
	o.rows = nil
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(rows(), func(r row) bool { return r.name == name })
		if i < 0 {
			return fmt.Errorf("no row %q; starve -list names them", name)
		}
		o.rows = append(o.rows, rows()[i])
	}
	return nil
}

// webFlags are the flags of testweb.
func (r row) webFlags(o *options) []string {
	hostile := r.hostile(o.healthy)
	flags := []string{"-hosts", strconv.Itoa(o.healthy + hostile), "-pages", strconv.Itoa(o.siteSize), "-hostile",
		strconv.Itoa(hostile)}
	for _, fault := range strings.Fields(r.faults) {
		flags = append(flags, "-fault", fault)
	}
	return flags
}

// table measures one row after the other, and prints each as soon as it is known.
func (o *options) table(ctx context.Context, stdout io.Writer) error {
	fmt.Fprintf(stdout, "%d healthy hosts, %v a row\n\n%-16s %8s %8s %8s\n", o.healthy, o.span, "row", "URLs",
		"of alone", "others'")
	alone := 0
	for _, r := range o.rows {
		c, err := o.crawl(ctx, r)
		if err != nil {
			return fmt.Errorf("crawl the row %s: %w", r.name, err)
		}
		share := "-"
		if r.name == "alone" {
			alone = c.healthy
		}
		if alone > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(c.healthy)/float64(alone))
		}
		fmt.Fprintf(stdout, "%-16s %8d %8s %8d\n", r.name, c.healthy, share, c.others)
	}
	return nil
}
