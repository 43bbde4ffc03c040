package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/ordered"
)

// waits adds the places at which the URLs wait in the state of a frontier. Of such a state it reads
// what is known of their hosts.
func (s *searcher) waits(urls map[string]bool, f found) {
	for state, segments := range s.orderedStates() {
		err := s.waitsIn(state, segments, urls, f)
		s.skip(batch{path: "the state " + state}, err)
	}
}

// orderedStates returns the segments, oldest first, of the states that may be of a frontier, by name.
func (s *searcher) orderedStates() map[string][]string {
	states := map[string][]string{}
	for _, path := range slices.Sorted(slices.Values(s.states)) {
		if ordered.Is(path) {
			name := filepath.Base(filepath.Dir(path))
			states[name] = append(states[name], path)
		}
	}
	return states
}

func (s *searcher) waitsIn(state string, segments []string, urls map[string]bool, f found) error {
	list, err := listOf(segments)
	if err != nil {
		return err
	}
	defer os.Remove(list)
	w, err := waiting.Open(list, s.hash, waiting.Rules{Now: time.Now()})
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, keyed.ErrSecret):
		return err
	case err != nil:
		s.log.Debug("it is no state of a frontier", "state", state, "error", err)
		return nil
	}
	defer w.Close()
	_, places, err := w.Find(slices.Sorted(maps.Keys(urls))...)
	if err != nil {
		return err
	}
	for url, all := range places {
		for _, place := range all {
			rec, err := urlbatch.Parse(place.Line)
			if err != nil {
				return err
			}
			b := batch{path: fmt.Sprintf("URLs of its host before it: %d", place.Better+place.Before), queue: state,
				given: true}
			f[url] = append(f[url], event{batch: b, rec: rec.Clone(), times: 1, band: fmt.Sprint(place.Band)})
		}
	}
	return nil
}

// listOf writes a list of paths to a file.
func listOf(paths []string) (name string, err error) {
	file, err := os.CreateTemp("", "trace-")
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(strings.Join(paths, "\n") + "\n")
	if err = errors.Join(err, file.Close()); err != nil {
		err = errors.Join(fmt.Errorf("list the segments of a state: %w", err), os.Remove(file.Name()))
	}
	return file.Name(), err
}
