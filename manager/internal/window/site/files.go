package site

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"multitext/manager/internal/kind"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/peek"
	"multitext/script"
	"multitext/txlog"
)

// newerFirst is the order of files on pages: by transaction, the newest first, then by name.
func newerFirst(a, b txlog.Name) int {
	return cmp.Or(cmp.Compare(b.Tx(), a.Tx()), cmp.Compare(b, a))
}

// files returns the files of some queues, the newest first: live batches, and what an exported queue
// contains, which is not live.
func (l *look) files(queues ...string) (names []txlog.Name, err error) {
	for name := range l.State.Batches() {
		if slices.Contains(queues, name.Queue()) {
			names = append(names, name)
		}
	}
	for _, queue := range queues {
		if q := l.Script.Queue(queue); q != nil && q.Export {
			below, err := exported(l.Root, queue)
			if err != nil {
				return nil, err
			}
			names = append(names, below...)
		}
	}
	slices.SortFunc(names, newerFirst)
	return slices.Compact(names), nil
}

// exported lists the files of an exported queue that have the name of a batch, also in its folders.
func exported(root, queue string) (names []txlog.Name, err error) {
	entries, err := os.ReadDir(filepath.Join(root, queue))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	add := func(dir string, entries []fs.DirEntry) {
		for _, e := range entries {
			if name := txlog.Name(dir + "/" + e.Name()); e.Type().IsRegular() && peek.IsName(name) {
				names = append(names, name)
			}
		}
	}
	add(queue, entries)
	for _, e := range entries {
		if e.IsDir() && txlog.IsFolder(e.Name()) {
			below, err := os.ReadDir(filepath.Join(root, queue, e.Name()))
			if errors.Is(err, fs.ErrNotExist) {
				continue // another machine has removed it
			}
			if err != nil {
				return nil, err
			}
			add(queue+"/"+e.Name(), below)
		}
	}
	return names, nil
}

// known reports whether a text is the name of a batch of a queue of this crawl, live or not.
func (l *look) known(name txlog.Name) bool {
	return peek.IsName(name) && slices.Contains(l.QueueNames(), name.Queue())
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

// ext returns the extension of a batch.
func ext(name txlog.Name) string {
	_, _, ext, _ := txlog.ParseFileName(name.File())
	return ext
}
