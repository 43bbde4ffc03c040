package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"

	"multitext/stages/internal/frontier/simulate"
	"multitext/stages/internal/run/stage"
)

// print prints the table of what was wanted, the best order first.
func (o *options) print(w io.Writer, l *links, seeds []uint32, want want, crawls []crawl) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%d pages, %d links, %d seeds; %d pages can be reached. Batches of %d.\n", len(l.URLs), l.count,
		len(seeds), crawls[0].pages, o.urls)
	fmt.Fprintf(b, "Wanted: %s; %d pages, of which %d can be reached.\n\n", want.says, len(want.pages),
		len(crawls[0].found))
	if len(crawls[0].found) == 0 {
		return b.Flush()
	}
	slices.SortStableFunc(crawls, func(x, y crawl) int { return cmp.Compare(x.until(0.5), y.until(0.5)) })
	fmt.Fprintln(b, "Pages fetched until so many of the wanted are found:")
	t := tabwriter.NewWriter(b, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "order\t25 %\t50 %\t75 %\t90 %\t")
	for _, c := range crawls {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t\n", c.order, c.until(0.25), c.until(0.5), c.until(0.75), c.until(0.9))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%s\n", verdict(crawls))
	return b.Flush()
}

// verdict says which order found half of the wanted first; crawls are in order of that.
func verdict(crawls []crawl) string {
	crawls = slices.DeleteFunc(slices.Clone(crawls), func(c crawl) bool { return c.order == oracle })
	best := crawls[0]
	after := fmt.Sprintf("after %d of %d pages (%.1f %%)", best.until(0.5), best.pages,
		100*float64(best.until(0.5))/float64(best.pages))
	names := best.order
	for _, c := range crawls[1:] {
		if c.until(0.5) == best.until(0.5) {
			names += ", " + c.order
		}
	}
	if names != best.order {
		return fmt.Sprintf("No order would have found half of the wanted first alone: %s have them %s.", names, after)
	}
	for _, c := range crawls {
		if c.order == "breadth" && c.order != best.order {
			return fmt.Sprintf("%s would have found half of the wanted first: %s; breadth after %d.", best.order, after,
				c.until(0.5))
		}
	}
	return fmt.Sprintf("%s would have found half of the wanted first: %s.", best.order, after)
}

// printCurves prints for each per cent of the pages that can be reached which share of the wanted
// was fetched by then.
func printCurves(w io.Writer, want want, crawls []crawl) error {
	b := bufio.NewWriter(w)
	for _, c := range crawls {
		for percent := range 101 {
			found := sort.SearchInts(c.found, percent*c.pages/100+1)
			fmt.Fprintf(b, "%s\t%s\t%d\t%.2f\n", want.name, c.order, percent,
				100*float64(found)/float64(max(len(c.found), 1)))
		}
	}
	return b.Flush()
}

// printFetched prints the pages of the crawl in each order, from each list of seeds.
func (o *options) printFetched(ctx context.Context, env *stage.Env, l *links) error {
	wanted, err := o.told(ctx, env, l)
	if err != nil {
		return err
	}
	b, files, behind := bufio.NewWriter(env.Stdout), strings.Split(o.seeds, ","), "\n"
	fmt.Fprint(b, "order\tURL")
	if o.counts {
		fmt.Fprint(b, "\tcrawler")
	}
	if len(files) > 1 {
		fmt.Fprint(b, "\tseeds")
	}
	fmt.Fprintln(b)
	for _, file := range files {
		if len(files) > 1 {
			behind = "\t" + file + "\n"
		}
		seeds, err := o.seedsOf(ctx, env, l, file)
		if err != nil {
			return err
		}
		clear(o.done)
		for _, name := range o.names(l) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			made, err := o.crawled(l, name, seeds, wanted)
			if err != nil {
				return err
			}
			if err := o.printPages(b, l, name, behind, made); err != nil {
				return err
			}
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("print the pages: %w", err)
	}
	return nil
}

// printPages prints the pages of a crawl, and with -counts who fetched them and what was sent.
func (o *options) printPages(b *bufio.Writer, l *links, order, behind string, made *simulate.Outcome) error {
	for i, page := range made.Pages {
		b.WriteString(order + "\t" + l.URLs[page])
		if o.counts {
			b.WriteString("\t" + strconv.Itoa(int(made.By[i])))
		}
		b.WriteString(behind)
	}
	if !o.counts {
		return nil
	}
	text, err := json.Marshal(made.Sent)
	fmt.Fprintf(b, "# %s\n", text)
	return err
}

// told tells of each page whether it is wanted, if an order goes by that: with several shares of -hottest, by
// the first.
func (o *options) told(ctx context.Context, env *stage.Env, l *links) ([]bool, error) {
	if !slices.ContainsFunc(o.names(l), l.knows) {
		return nil, nil
	}
	wants, err := o.wants(ctx, env, l)
	if err != nil {
		return nil, err
	}
	return l.marked(wants[0]), nil
}
