package main

import (
	"cmp"
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

// tenFaults are ten of them that differ most in how they do so.
const tenFaults = "silent head-slow body-slow body-endless gzip-bomb redirect-endless busy-503 robots-slow " +
	"trap-hosts trap-links"

func rows() []row {
	one := func(int) int { return 1 }
	half := func(healthy int) int { return healthy / 2 }
	return []row{
		{"alone", "healthy hosts only", "", func(int) int { return 0 }},
		{"large", "one host with 10,000 links to itself", "links-large", one},
		{"two-drip", "one host with two URLs that drip", "links-two-drip", one},
		{"drip", "one host with 10,000 URLs that drip", "links-drip", one},
		{"seeds", "200 seeds that drip, each of a host of its own", "body-slow",
			func(healthy int) int { return healthy * 10 / 3 }},
		{"third", "a third of the hosts misbehaves, in thirty ways that take time", slowFaults, half},
		{"ten", "a third of the hosts misbehaves, in ten ways, three of each", tenFaults, half},
		{"names", "120 names at one address, whose robots.txt drip", "names-drip", one},
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

// A measured is what came of a row.
type measured struct {
	counted
	err error
}

// measure crawls the rows, one after the other or all together, and returns where each comes.
func (o *options) measure(ctx context.Context) []chan measured {
	width := 1
	if o.together {
		width = len(o.rows)
	}
	next, found := make(chan int, len(o.rows)), make([]chan measured, len(o.rows))
	for i := range o.rows {
		next <- i
		found[i] = make(chan measured, 1)
	}
	close(next)
	for range width {
		go func() {
			for i := range next {
				c, err := o.crawl(ctx, o.rows[i])
				found[i] <- measured{c, err}
			}
		}()
	}
	return found
}

// table measures the rows, and prints each as soon as it and those before it are known.
func (o *options) table(ctx context.Context, stdout io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	fmt.Fprintf(stdout, "%d healthy hosts, %v a row\n\n%-16s %8s %8s %8s\n", o.healthy, o.span, "row", "URLs",
		"of alone", "others'")
	alone := 0
	var failed error
	for i, found := range o.measure(ctx) {
		r, m := o.rows[i], <-found
		if m.err != nil {
			failed = cmp.Or(failed, fmt.Errorf("crawl the row %s: %w", r.name, m.err))
			stop() // and wait for those that are being crawled
			continue
		}
		share := "-"
		if r.name == "alone" {
			alone = m.healthy
		}
		if alone > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(m.healthy)/float64(alone))
		}
		fmt.Fprintf(stdout, "%-16s %8d %8s %8d\n", r.name, m.healthy, share, m.others)
	}
	return failed
}
