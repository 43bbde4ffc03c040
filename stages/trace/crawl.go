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

// A batch is a file to search.
type batch struct {
	path, queue string
	to          string // the node to which the batch is sent, or ""
	given       bool   // the file is an argument: it may belong to any crawl
	tx          uint64 // the transaction that made it; 0 if the name does not contain it
}

func (b batch) name() string { return filepath.Base(b.path) }

// place returns the name of the batch in the output: its path if it is an argument, else its base
// name.
func (b batch) place() string {
	if b.given {
		return b.path
	}
	return b.name()
}

// batchOf returns the batch at a path. The folder's name is the name of its queue. The form of the
// file's name shows a batch for another node; it is in a folder below the queue that has the name
// of the node.
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

// addCrawl adds the batches of all queues in the crawl's folder, the states, and the secret.
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
	// WalkDir does not follow symbolic links, but a state may be a link to a folder on another
	// disk.
	states, err := fs.Glob(os.DirFS(folder), "state/*/*")
	if err != nil {
		return fmt.Errorf("find the states of the crawl in %s: %w", folder, err)
	}
	for _, path := range states {
		s.states = append(s.states, filepath.Join(folder, filepath.FromSlash(path)))
	}
	secret, err := keyed.Read(filepath.Join(folder, "secret"))
	if errors.Is(err, fs.ErrNotExist) { // a crawl may have no states
		return nil
	}
	s.hash = secret
	return err
}

// addPath adds a path in the crawl's folder: QUEUE/BATCH or QUEUE/NODE/BATCH. It returns fs.SkipDir
// for a folder that cannot contain batches.
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

// segmentOf returns the segment that contains the key of a text, computed as in filter and classify
// links. The queue of the result is the name of the state, or "" if no segment has the key.
// Segments with values, and files that are not segments, belong to other stages and are skipped.
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

// has reports whether a segment contains the key of text and has no values.
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
