package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/sharing/outgoing"
	"multitext/stages/internal/state/segment"
)

// A batch is a file to look into.
type batch struct {
	path, queue string
	to          string // the node that it is for, "" where it is for nobody else
	given       bool   // as an argument: it may be of any crawl
	tx          uint64 // the transaction that made it; 0 where its name does not tell
}

func (b batch) name() string { return filepath.Base(b.path) }

// place is the name of the batch in the output: its path if it is an argument, else its name alone.
func (b batch) place() string {
	if b.given {
		return b.path
	}
	return b.name()
}

// batchOf returns the batch at a path. Its queue has the name of the folder. A batch for another
// node is known by its name; it lies in a folder of the queue's that has the name of the node.
func batchOf(path string) batch {
	b := batch{path: path, tx: output.Transaction(path)}
	if abs, err := filepath.Abs(path); err == nil {
		folder := filepath.Dir(abs)
		if _, ok := outgoing.ParseName(filepath.Base(path)); ok {
			b.to, folder = filepath.Base(folder), filepath.Dir(folder)
		}
		b.queue = filepath.Base(folder)
	}
	return b
}

// addCrawl adds the batches of all queues in the folder, its states, and its secret.
func (s *searcher) addCrawl(folder string) error {
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return s.addPath(folder, strings.Split(path, "/"), e.IsDir())
	})
	if err != nil {
		return fmt.Errorf("read the crawl's folder %s: %w", folder, err)
	}
	// A walk does not follow symbolic links, and a state may be one, to a folder on another disk.
	states, err := fs.Glob(os.DirFS(folder), "state/*/*")
	if err != nil {
		return fmt.Errorf("find the states of the crawl in %s: %w", folder, err)
	}
	for _, path := range states {
		s.states = append(s.states, filepath.Join(folder, filepath.FromSlash(path)))
	}
	secret, err := keyed.Read(filepath.Join(folder, "secret"))
	if errors.Is(err, fs.ErrNotExist) { // a crawl may have none
		return nil
	}
	s.hash = secret
	return err
}

// addPath adds a path of the crawl's folder: QUEUE/BATCH or QUEUE/NODE/BATCH. It returns
// fs.SkipDir for a folder that holds none of these.
func (s *searcher) addPath(folder string, path []string, isFolder bool) error {
	notQueues := []string{"work", "state", "history", "inbox", "failed"}
	full := filepath.Join(folder, filepath.Join(path...))
	b := batchOf(full)
	switch {
	case isFolder && (len(path) > 2 || slices.Contains(notQueues, path[0])):
		return fs.SkipDir
	case isFolder && len(path) == 2:
		s.nodes = append(s.nodes, node{name: path[1], queue: path[0]})
	case !isFolder && len(path) > 1 && b.tx > 0:
		b.queue, b.to = path[0], ""
		if len(path) == 3 {
			b.to = path[1]
		}
		s.batches = append(s.batches, b)
	}
	return nil
}

// segmentOf returns the segment that has the key of a text, as filter and classify links make it.
// Its queue is the name of the state, "" if no segment has the key. Segments with values, and files
// that are no segments, are of other stages.
func (s *searcher) segmentOf(text string) (batch, error) {
	for _, path := range s.states {
		if !segment.Is(path) {
			continue
		}
		r, err := segment.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return batch{}, err
		}
		ok, err := s.has(r, text)
		if cerr := r.Close(); err == nil {
			err = cerr
		}
		if ok || err != nil {
			return batchOf(path), err
		}
	}
	return batch{}, nil
}

// has reports whether a segment without values has the key of text.
func (s *searcher) has(r *segment.Reader, text string) (ok bool, err error) {
	if r.HasValues() {
		return false, nil
	}
	hash, err := r.Hash(s.hash)
	if err == nil {
		_, ok, err = r.Get(hash.Sum([]byte(text)))
	}
	return ok, err
}
