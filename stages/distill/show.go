package main

import (
	"bufio"
	"fmt"
	"io"

	"multitext/stages/internal/frontier/webgraph"
)

// reasons is how many pages -show names of each that link to it, or that it links to.
const reasons = 10

// showPages prints the best hubs and authorities. URLs have no byte that a terminal minds.
func showPages(to io.Writer, graph *webgraph.State, most int) error {
	hubs, authorities, err := graph.List(most, reasons)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(to)
	list := func(name, of string, pages []webgraph.Listed) {
		for _, p := range pages {
			fmt.Fprintf(w, "%s\t%.6f\t%.2f\t%d\t%s\n", name, p.Value, p.Worth, p.Links, p.URL)
			for _, why := range p.Why {
				fmt.Fprintf(w, "\t%s\t%.6f\t%.2f\t%s\n", of, why.Value, why.Worth, why.URL)
			}
		}
	}
	list("hub", "links to", hubs)
	list("authority", "linked from", authorities)
	return w.Flush()
}
