package view

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"multitext/txlog"
)

// Foreign lists the files in queues that are not in the log, by name relative to the crawl's
// directory. The manager never touches them.
//
// A running manager may commit between reading the log and reading the directories. So if a file
// seems foreign, Foreign looks it up in a newer log. A file enters its queue only after the line
// that names it, and the log drops the file only after its removal.
func (c *Crawl) Foreign() ([]string, error) {
	suspects, err := c.unknown()
	if err != nil || len(suspects) == 0 {
		return suspects, err
	}
	log := txlog.Follow(c.Root)
	defer log.Close()
	if err := log.More(nil, nil); err != nil {
		return nil, err
	}
	later := &Crawl{Script: c.Script, State: cmp.Or(log.State(), txlog.NewState(""))}
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

// unknownIn searches one directory, and its folders if it may have some. If another machine has
// removed a folder in the meantime, the folder counts as empty.
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
				below = []string{name} // it cannot be read, so no run of this crawl made it
			}
			out = append(out, below...)
		} else if !c.knows(txlog.Name(name)) {
			out = append(out, name)
		}
	}
	return out, nil
}

// knows reports whether the log contains a file. The log drops exported files once they are in
// their queues, so for exported files the form of the name decides.
func (c *Crawl) knows(name txlog.Name) bool {
	if c.State.Pending(name) || c.State.Batch(name) != nil {
		return true
	}
	q := c.Script.Queue(name.Queue())
	tx, _, _, ok := txlog.ParseFileName(name.File())
	return q != nil && q.Export && ok && tx < c.State.Next()
}
