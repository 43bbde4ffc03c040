package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/segment"
)

// A batch is a file to look into.
type batch struct {
	path, queue string
	tx          uint64 // that made it; 0 where its name does not tell
}

func (b batch) name() string { return filepath.Base(b.path) }

var batchName = regexp.MustCompile(`-(\d{12})-\d{5}(\.[^/]*)?$`)

// batchOf takes a path for a batch in a queue that is called like the folder.
func batchOf(path string) batch {
	b := batch{path: path}
	if abs, err := filepath.Abs(path); err == nil {
		b.queue = filepath.Base(filepath.Dir(abs))
	}
	if m := batchName.FindStringSubmatch(path); m != nil {
		b.tx, _ = strconv.ParseUint(m[1], 10, 64)
	}
	return b
}

// notQueues are the names in a crawl's folder that no queue may have.
var notQueues = []string{"work", "state", "log", "history", "inbox", "lock", "failed"}

// addCrawl adds the batches of all queues in the folder, and its states.
func (s *searcher) addCrawl(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("read the crawl's folder: %w", err)
	}
	for _, e := range entries {
		if !e.IsDir() || slices.Contains(notQueues, e.Name()) {
			continue
		}
		files, err := os.ReadDir(filepath.Join(folder, e.Name()))
		if err != nil {
			return fmt.Errorf("read queue %s: %w", e.Name(), err)
		}
		for _, f := range files {
			if b := batchOf(filepath.Join(folder, e.Name(), f.Name())); b.tx > 0 {
				s.batches = append(s.batches, b)
			}
		}
	}
	s.states, err = filepath.Glob(filepath.Join(escapeGlob(folder), "state", "*", "*"))
	return err
}

// escapeGlob makes a pattern that matches the path alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// seenIn gives the name of the state whose keys have the URL, as filter's have, "" if there is none. States
// with values are others', and so are files that are no segments.
func (s *searcher) seenIn(url string) (state string, err error) {
	for _, path := range s.states {
		if !segment.Is(path) {
			continue
		}
		r, err := segment.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, ok, err := r.Get(xxhash.Sum64String(url))
		ok = ok && !r.HasValues()
		if cerr := r.Close(); err == nil {
			err = cerr
		}
		if ok || err != nil {
			return filepath.Base(filepath.Dir(path)), err
		}
	}
	return "", nil
}
