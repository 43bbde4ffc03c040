package site

import (
	"slices"

	"multitext/manager/internal/kind"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/peek"
	"multitext/script"
	"multitext/txlog"
)

// collect adds the files of some queues to a page: live batches, and what an exported queue
// contains, which is not live. all is false if an exported queue has so many that some are left
// out.
func (l *look) collect(into *peek.Page, queues ...string) (all bool, err error) {
	for name := range l.State.Batches() {
		if slices.Contains(queues, name.Queue()) {
			into.Add(name)
		}
	}
	all = true
	for _, queue := range queues {
		if q := l.Script.Queue(queue); q == nil || !q.Export {
			continue
		}
		complete, err := peek.List(l.Context(), l.Root, queue, true, func(name txlog.Name) {
			if l.State.Batch(name) == nil {
				into.Add(name)
			}
		})
		if all = all && complete; err != nil {
			return false, err
		}
	}
	return all, nil
}

// known reports whether a text is the name of a batch of a queue of this crawl, live or not.
func (l *look) known(name txlog.Name) bool {
	if l.queues == nil { // it looks at all live batches, and a page has many names
		l.queues = l.QueueNames()
	}
	return peek.IsName(name) && slices.Contains(l.queues, name.Queue())
}

// products returns the queues that nobody reads, or that are for other machines.
func products(v *view.Crawl) (queues []*script.Queue) {
	for _, name := range v.Script.QueueNames() {
		if q := v.Script.Queue(name); q != nil && (q.Export || len(q.Readers) == 0) {
			queues = append(queues, q)
		}
	}
	return queues
}

// shownAs returns the media type of a file that a browser can show in a frame, or "". Only the
// extension counts.
func shownAs(ext string) string {
	is, _ := kind.Of(ext)
	return map[string]string{"html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8",
		"svg": "image/svg+xml", "png": "image/png"}[is]
}

// summary reports whether files with an extension are made to be looked at, and have no records.
func summary(ext string) bool {
	is, _ := kind.Of(ext)
	return shownAs(ext) != "" || is == "tsv"
}

// ext returns the extension of a batch.
func ext(name txlog.Name) string {
	_, _, ext, _ := txlog.ParseFileName(name.File())
	return ext
}
