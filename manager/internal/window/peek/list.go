package peek

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"multitext/txlog"
)

// Newer is the order of files on pages: by transaction, the newest first, then by name.
func Newer(a, b txlog.Name) int {
	return key{a.Tx(), a}.compare(key{b.Tx(), b})
}

// A Page collects some of many names of batches, in the order of Newer. It keeps only these.
type Page struct {
	Most  int        // how many
	After txlog.Name // only names that follow this one; "" means from the beginning
	Count int        // how many names were added in all

	keys []key
	full bool // keys are sorted, and those after the last one are not wanted
}

type key struct {
	tx   uint64
	name txlog.Name
}

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(other.tx, k.tx), cmp.Compare(other.name, k.name))
}

// Add adds a name, which need not be wanted.
func (p *Page) Add(name txlog.Name) {
	p.Count++
	k := key{name.Tx(), name}
	if p.After != "" && k.compare(key{p.After.Tx(), p.After}) <= 0 ||
		p.full && k.compare(p.keys[p.Most]) >= 0 {
		return
	}
	if p.keys = append(p.keys, k); len(p.keys) >= 4*p.Most+1000 {
		p.trim()
	}
}

// trim keeps the names that are wanted, and one more.
func (p *Page) trim() {
	slices.SortFunc(p.keys, key.compare)
	p.full = len(p.keys) > p.Most
	p.keys = p.keys[:min(len(p.keys), p.Most+1)]
}

// Names returns the names that are wanted, sorted. more is true if others follow them.
func (p *Page) Names() (names []txlog.Name, more bool) {
	p.trim()
	for _, k := range p.keys[:min(len(p.keys), p.Most)] {
		names = append(names, k.name)
	}
	return names, p.full
}

// The bounds of List.
const (
	mostListed = 2_000_000 // files
	listTime   = 2 * time.Second
)

// List calls each with the files in the directory of a queue that have names of batches, in no
// particular order. If the queue is exported, this includes those in its folders. A queue without a
// directory has no files. all is false if there are so many that List did not reach all of them, or
// if the directory is a symbolic link, which is not followed.
func List(ctx context.Context, root, queue string, export bool, each func(txlog.Name)) (all bool, err error) {
	dir, err := os.OpenRoot(root)
	if err == nil {
		defer dir.Close()
		l := lister{ctx, dir, time.Now().Add(listTime), mostListed, each}
		err = l.list(queue, export)
	}
	switch {
	case errors.Is(err, errMore):
		return false, nil
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	}
	return err == nil, err
}

var errMore = errors.New("not all is listed")

type lister struct {
	ctx   context.Context
	root  *os.Root
	until time.Time
	left  int
	each  func(txlog.Name)
}

func (l *lister) list(dir string, folders bool) error {
	if info, err := l.root.Lstat(dir); err != nil {
		return err
	} else if info.Mode()&fs.ModeSymlink != 0 {
		return errMore
	}
	f, err := l.root.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1000)
		for _, e := range entries {
			name := dir + "/" + e.Name()
			switch _, _, _, batch := txlog.ParseFileName(e.Name()); {
			case batch && e.Type().IsRegular():
				l.each(txlog.Name(name))
			case folders && e.IsDir() && txlog.IsFolder(e.Name()):
				if err := l.list(name, false); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
		l.left -= len(entries)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case l.ctx.Err() != nil:
			return l.ctx.Err()
		case l.left < 0 || time.Now().After(l.until):
			return errMore
		}
	}
}
