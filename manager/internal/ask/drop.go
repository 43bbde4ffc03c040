package ask

import (
	"fmt"
	"path/filepath"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
)

// Drop drops batches that c holds; products of the crawl only if that is wanted. With dry it says
// what would go, and drops nothing.
func (a *Asker) Drop(c *view.Crawl, batches []string, why string, dry, products bool) error {
	q := crawl.Request{Verb: "drop", Why: why}
	for _, arg := range batches {
		name, err := view.BatchName(a.Script.Dir, arg)
		if err != nil {
			return err
		}
		q.Batches = append(q.Batches, name)
	}
	if c.Begun { // else Ask refuses it
		if err := a.foretellDrop(c, q, dry, products); err != nil {
			return err
		}
	}
	if dry {
		return nil
	}
	return a.Ask(q)
}

// foretellDrop refuses to drop products unless that is wanted, and with dry says what would go. A
// product whose file is lost needs no such wish.
func (a *Asker) foretellDrop(c *view.Crawl, q crawl.Request, dry, products bool) error {
	if err := crawl.Sensible(c.Script, c.State, q); err != nil {
		return err
	}
	var kept []string
	for _, name := range q.Batches {
		o, _ := c.State.Live(name)
		text := fmt.Sprintf("%s, %s", name, figure.Bytes(o.Size))
		if o.Records >= 0 {
			text += ", " + figure.Count(o.Records, "record")
		}
		queue := c.Script.Queue(name.Queue())
		if queue != nil && crawl.IsProduct(queue) {
			text += ", a product of the crawl, which no stage makes again"
			if what, err := workdir.Amiss(filepath.Join(c.Root, string(name)), o); err == nil && what == "" {
				kept = append(kept, text)
			}
		}
		if dry {
			terminal.Line(a.Out, "would go: %s", text)
		}
	}
	if kept != nil && !products && !dry {
		return fmt.Errorf("nothing was dropped; with -product these go for good:\n  %s", strings.Join(kept, "\n  "))
	}
	return nil
}
