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
	given       bool   // by its path: it may be of any crawl
	tx          uint64 // that made it; 0 where its name does not tell
}

func (b batch) name() string { return filepath.Base(b.path) }

// place is how the batch is called to the user, who knows the crawl that was asked for, and of files only their paths.
func (b batch) place() string {
	if b.given {
		return b.path
	}
	return b.name()
}

// batchOf takes a path for a batch in a queue that is called like the folder. One for another node is told
// by its name; its folder is called like the node.
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

// notQueues are the names in a crawl's folder that no queue may have.
var notQueues = []string{"work", "state", "log", "history", "inbox", "secret", "failed"}

// addCrawl adds the batches of all queues in the folder, its states, and its secret.
func (s *searcher) addCrawl(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("read the crawl's folder: %w", err)
	}
	for _, e := range entries {
		if !e.IsDir() || slices.Contains(notQueues, e.Name()) {
			continue
		}
		if err := s.addFolder(filepath.Join(folder, e.Name()), e.Name(), ""); err != nil {
			return err
		}
	}
	if s.states, err = filepath.Glob(filepath.Join(escapeGlob(folder), "state", "*", "*")); err != nil {
		return err
	}
	secret, err := keyed.Read(filepath.Join(folder, "secret"))
	if err == nil {
		s.hash = secret
	} else if errors.Is(err, fs.ErrNotExist) { // as in the crawls of earlier programs
		err = nil
	}
	return err
}

// addFolder adds the batches in a folder of a queue: the queue's own, or the one of those for the node to.
func (s *searcher) addFolder(folder, queue, to string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("read queue %s: %w", queue, err)
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch b := batchOf(path); {
		case e.IsDir() && to == "":
			s.nodes = append(s.nodes, node{e.Name(), queue})
			if err := s.addFolder(path, queue, e.Name()); err != nil {
				return err
			}
		case !e.IsDir() && b.tx > 0:
			b.queue, b.to = queue, to
			s.batches = append(s.batches, b)
		}
	}
	return nil
}

// escapeGlob makes a pattern that matches the path alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// segmentOf gives the segment that has the key of a text, as filter and classify links make it; its queue is the state's
// name, "" if there is none. States with values are others', and so are files that are no segments.
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

// has tells whether a segment of keys alone has the key of text.
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
