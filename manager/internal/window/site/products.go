package site

import (
	"os"
	"slices"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/manager/internal/window/peek"
	"multitext/script"
	"multitext/txlog"
)

// A product is a queue on the page of products.
type product struct {
	Queue  view.Queue
	Script *script.Queue
	Rows   []productRow
	Files  int
	Others int // files that are not in the rows
}

type productRow struct {
	Name                   txlog.Name
	Link, TxLink, Download string
	Size                   string
	When                   time.Time
}

// newestOf is how many products of a queue the page of products lists.
const newestOf = 5

// productsPage shows the newest page or picture that each stage has made, and lists the newest
// files of the queues that nobody reads.
func productsPage(l *look) (string, []page.Part, error) {
	var parts []page.Part
	queues, all := products(l.Crawl), l.Queues()
	if err := l.part(&parts, "products", "products", map[string]any{"None": len(queues) == 0}); err != nil {
		return "", nil, err
	}
	panes, err := l.panes("")
	if err != nil {
		return "", nil, err
	}
	for _, p := range panes { // a part each, so that a frame is loaded again only if its file is another
		if err := l.part(&parts, "pane-"+p.Queue, "pane", p); err != nil {
			return "", nil, err
		}
	}
	for _, q := range queues {
		i := slices.IndexFunc(all, func(v view.Queue) bool { return v.Name == q.Name })
		p, err := l.product(all[i], q)
		if err != nil {
			return "", nil, err
		}
		if err := l.part(&parts, "product-"+q.Name, "product", map[string]any{"P": p, "Base": l.Base}); err != nil {
			return "", nil, err
		}
	}
	return "Products", parts, nil
}

func (l *look) product(v view.Queue, q *script.Queue) (*product, error) {
	list := peek.Page{Most: newestOf}
	if _, err := l.collect(&list, q.Name); err != nil {
		return nil, err
	}
	files, _ := list.Names()
	p := &product{Queue: v, Script: q, Files: list.Count, Others: list.Count - len(files)}
	for _, name := range files {
		row := productRow{Name: name, Link: l.batchLink(name), TxLink: l.txLink(name.Tx()), Download: l.Base + "download/" +
			page.Path(string(name))}
		if info, err := os.Lstat(l.path(name)); err == nil {
			row.Size, row.When = figure.Bytes(info.Size()), info.ModTime()
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// A pane is a page or a picture that a stage of the crawl has made: a window of its own.
type pane struct {
	Queue       string
	Name        txlog.Name
	Link, Frame string
}

// panes returns the newest page or picture of each queue that has some; stage "" means all stages.
func (l *look) panes(stage string) (all []pane, err error) {
	for _, q := range products(l.Crawl) {
		writes := slices.ContainsFunc(q.Writers, func(s *script.Stage) bool { return s.Name == stage })
		if shownAs(q.Ext) == "" || stage != "" && !writes {
			continue
		}
		list := peek.Page{Most: 1}
		if _, err := l.collect(&list, q.Name); err != nil {
			return nil, err
		}
		if names, _ := list.Names(); len(names) > 0 {
			all = append(all, pane{q.Name, names[0], l.batchLink(names[0]), l.Base + "raw/" + page.Path(string(names[0]))})
		}
	}
	return all, nil
}

// panesPart links the pages and pictures of a stage, or of all.
func (l *look) panesPart(parts *[]page.Part, stage string) error {
	panes, err := l.panes(stage)
	if err != nil {
		return err
	}
	return l.part(parts, "panes", "panes", map[string]any{"Panes": panes})
}
