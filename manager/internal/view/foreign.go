package view

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"multitext/txlog"
)

// Foreign lists the files in queues that the log does not know, by name within the crawl's
// directory. The manager never touches them.
//
// A running manager commits between the looks at the log and at the directories. What seems foreign
// is therefore looked up in a newer log: a file is put into its queue only after the line that
// names it, and the log forgets it only after it was removed.
func (c *Crawl) Foreign() ([]string, error) {
	suspects, err := c.unknown()
	if err != nil || len(suspects) == 0 {
		return suspects, err
	}
	later := &Crawl{Root: c.Root, Script: c.Script}
	if _, err := later.load(); err != nil {
		return nil, err
	}
	out := []string{}
	for _, name := range suspects {
		_, err := os.Lstat(filepath.Join(c.Root, name))
		if !errors.Is(err, fs.ErrNotExist) && !later.knows(txlog.Name(name)) {
			out = append(out, name)
		}
	}
	return out, nil
}

func (c *Crawl) unknown() ([]string, error) {
	out := []string{}
	for _, queue := range c.QueueNames() {
		q := c.Script.Queue(queue)
		found, err := c.unknownIn(queue, q != nil && q.Export)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// unknownIn looks through one directory, and through its folders if it may have some. A folder that
// another machine has removed meanwhile is empty.
func (c *Crawl) unknownIn(dir string, folders bool) (out []string, err error) {
	entries, err := os.ReadDir(filepath.Join(c.Root, dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := dir + "/" + e.Name()
		if folders && e.IsDir() && txlog.IsFolder(e.Name()) {
			below, err := c.unknownIn(name, false)
			if err != nil {
				below = []string{name} // it cannot be read, so it is none of ours
			}
			out = append(out, below...)
		} else if !c.knows(txlog.Name(name)) {
			out = append(out, name)
		}
	}
	return out, nil
}

// knows reports whether the log knows a file. It forgets exported files once they are in their
// place, so for these the form of the name decides.
func (c *Crawl) knows(name txlog.Name) bool {
	if c.State.Pending(name) || c.State.Batch(name) != nil {
		return true
	}
	q := c.Script.Queue(name.Queue())
	tx, _, _, ok := txlog.ParseFileName(name.File())
	return q != nil && q.Export && ok && tx < c.State.Next()
}
