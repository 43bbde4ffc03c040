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

// Drop drops batches of c. It drops products of the crawl only if products is set. If dry is set,
// it only prints what it would drop.
func (a *Asker) Drop(c *view.Crawl, batches []string, why string, dry, products bool) error {
	q := crawl.Request{Verb: "drop", Why: why}
	for _, arg := range batches {
		name, err := view.BatchName(a.Script.Dir, arg)
		if err != nil {
			return err
		}
		q.Batches = append(q.Batches, name)
	}
	if c.Begun { // if not, Ask refuses the request
		if err := a.foretellDrop(c, q, dry, products); err != nil {
			return err
		}
	}
	if dry {
		return nil
	}
	return a.Ask(q)
}

// foretellDrop refuses to drop products unless products is set. It allows to drop a product whose
// file is lost. If dry is set, it prints what would be dropped.
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
			text += ", a product of the crawl, which no stage can make again"
			if what, err := workdir.Amiss(filepath.Join(c.Root, string(name)), o); err == nil && what == "" {
				kept = append(kept, text)
			}
		}
		if dry {
			terminal.Line(a.Out, "would be removed: %s", text)
		}
	}
	if kept != nil && !products && !dry {
		return fmt.Errorf("nothing was dropped; with -product these are deleted for good:\n  %s",
			strings.Join(kept, "\n  "))
	}
	return nil
}
