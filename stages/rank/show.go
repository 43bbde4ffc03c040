package main

import (
	"bufio"
	"fmt"
	"io"

	"multitext/stages/internal/frontier/webgraph"
)

// showPages prints the pages, one a line. URLs have no byte that a terminal minds.
func showPages(to io.Writer, graph *webgraph.State) error {
	w := bufio.NewWriter(to)
	err := graph.Each(func(url []byte, rank float32, links bool) error {
		shown, is := "-", "pending"
		if rank > 0 {
			shown = fmt.Sprintf("%.6g", rank)
		}
		if links {
			is = "fetched"
		}
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\n", shown, is, url)
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}
