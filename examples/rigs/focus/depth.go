package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A node is a hunt for what a node of the tree of topics holds, or for a part of it.
type node struct {
	name string
	*field
}

// depth shows what crawls find by how deep the good node is in the tree of topics: titles of the code, and
// the chapters below.
func (l *lab) depth(c *results.Chapter) error {
	if l.nodes == nil {
		var err error
		if l.nodes, err = l.readNodes(); err != nil {
			return err
		}
	}
	ways := waysOf([]string{"breadth", "soft"})
	for _, n := range l.nodes {
		if err := n.crawl(l.bin, ways, []int{n.batch}, l.Points[1]); err != nil {
			return err
		}
	}
	return c.Over(len(l.nodes[0].hunts), l.Outside, func(i int, c *results.Chapter) error {
		t := &draw.Table{Name: "depth", Title: "How deep the good node is, law16",
			Note: fmt.Sprintf("Chapters of the code are below its titles in the tree. Seeds are %d sections of the "+
				"title. At %d %%, in batches of %d: recall, harvest, and harvest as a multiple of the base rate.",
				l.Law16.Seeds, l.Points[1], l.Law16.Batch),
			Columns: strings.Split("good|wanted|base rate %|recall, breadth|recall, soft|harvest, breadth|harvest, "+
				"soft|× base rate", "|")}
		for _, n := range l.nodes {
			good, wanted, _ := strings.Cut(n.name, ", ")
			h := n.hunts[i]
			base := float64(h.all) / float64(h.reached)
			cells, harvests, last := []string{good, wanted, draw.Percent(base)}, []string(nil), 0.
			for _, w := range ways {
				m := made{w.name, n.batch, l.Points[1]}
				cells = append(cells, draw.Number(h.curve(m)[l.Points[1]], 1))
				last = h.harvest(h.made[m], 0, l.Points[1]*h.reached/100)
				harvests = append(harvests, draw.Percent(last))
			}
			t.Add(append(append(cells, harvests...), draw.Number(last/base, 1))...)
		}
		c.Table(t)
		return nil
	})
}
