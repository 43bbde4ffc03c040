package main

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"text/tabwriter"
	"time"

	"multitext/stages/internal/frontier/waiting"
)

// A list is the first hosts of those offered to it, in its order.
type list struct {
	title string
	wants func(h *waiting.Host) bool
	less  func(a, b *waiting.Host) bool // a is to be printed before b
	top   int
	hosts []waiting.Host
}

func (l *list) offer(h *waiting.Host) {
	if !l.wants(h) || len(l.hosts) == l.top && !l.less(h, &l.hosts[l.top-1]) {
		return
	}
	at, _ := slices.BinarySearchFunc(l.hosts, h, func(a waiting.Host, h *waiting.Host) int {
		if l.less(h, &a) {
			return 1
		}
		return -1
	})
	l.hosts = slices.Insert(l.hosts, at, *h)
	l.hosts = l.hosts[:min(len(l.hosts), l.top)]
}

// through is when the host has been asked for all that waits.
func through(h *waiting.Host) time.Time { return h.After(h.Waiting) }

func listsOf(top int) []*list {
	waits := func(h *waiting.Host) bool { return h.Waiting > 0 }
	return []*list{
		{title: "the longest queues", top: top, wants: waits,
			less: func(a, b *waiting.Host) bool { return a.Waiting > b.Waiting }},
		{title: "the last to be through", top: top, wants: waits,
			less: func(a, b *waiting.Host) bool { return through(a).After(through(b)) }},
		{title: "held, with URLs that wait", top: top,
			wants: func(h *waiting.Host) bool { return waits(h) && !h.Held.IsZero() },
			less:  func(a, b *waiting.Host) bool { return a.Held.After(b.Held) }},
		{title: "silent, with URLs that wait", top: top,
			wants: func(h *waiting.Host) bool { return waits(h) && h.Silent > 0 },
			less:  func(a, b *waiting.Host) bool { return a.Silent > b.Silent }},
	}
}

// A class is the hosts with 2^(n-1) to 2^n - 1 URLs that wait; n is its place among all.
type class struct{ hosts, urls uint64 }

// showHosts prints how many URLs wait, by the number that their hosts have, and the hosts on which
// the crawl will wait for longest. It keeps no more hosts than it prints.
func showHosts(ctx context.Context, w io.Writer, state *waiting.State, now time.Time, top int) error {
	lists := listsOf(top)
	var classes [65]class
	err := state.Hosts(ctx, func(h *waiting.Host) error {
		c := &classes[bits.Len64(h.Waiting)]
		c.hosts, c.urls = c.hosts+1, c.urls+h.Waiting
		for _, l := range lists {
			l.offer(h)
		}
		return nil
	})
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	showClasses(t, classes[:])
	for _, l := range lists {
		l.show(t, now)
	}
	return t.Flush()
}

func showClasses(w io.Writer, classes []class) {
	var all class
	for _, c := range classes {
		all.hosts, all.urls = all.hosts+c.hosts, all.urls+c.urls
	}
	fmt.Fprintf(w, "%d URLs wait, of %d hosts; %d more hosts are known\n", all.urls, all.hosts-classes[0].hosts,
		classes[0].hosts)
	if all.urls > 0 {
		fmt.Fprintf(w, "\nURLs of a host\thosts\tURLs\n")
	}
	for n, c := range classes {
		if n > 0 && c.hosts > 0 {
			fmt.Fprintf(w, "%d to %d\t%d\t%d\n", uint64(1)<<(n-1), uint64(1)<<n-1, c.hosts, c.urls)
		}
	}
}

func (l *list) show(w io.Writer, now time.Time) {
	if len(l.hosts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\nhost\tURLs\ta URL takes\tnext\tthrough\tsilent runs\n", l.title)
	for _, h := range l.hosts {
		fmt.Fprintf(w, "%s\t%d\t%v\t%s\t%s\t%d\n", escaped(h.Name), h.Waiting, h.Step, when(h.Next, now),
			when(through(&h), now), h.Silent)
	}
}
