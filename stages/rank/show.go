package main

import (
	"bufio"
	"fmt"
	"os"

	"multitext/stages/internal/frontier/webgraph"
	"multitext/stages/internal/run/stage"
)

// showPages prints the pages, one a line. URLs have no byte that a terminal minds.
func (o *options) showPages(env *stage.Env) error {
	env.NoReport = true
	if o.graph == "" {
		return stage.Usagef("-show needs -graph")
	}
	if _, err := os.Stat(o.graph); err != nil {
		return fmt.Errorf("-graph: %w", err) // for a run it would be an empty state
	}
	graph, err := webgraph.Open(o.graph, env.Hash, "")
	if err != nil {
		return err
	}
	defer graph.Close()
	w := bufio.NewWriter(env.Stdout)
	err = graph.Each(func(url []byte, rank float32, links bool) error {
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
