package main

import (
	"context"
	"errors"
	"fmt"

	"multitext/stages/internal/formats/urlbatch"
)

// pages maps the URL of each page that was searched to one of its answers, or nil if none was
// found.
type pages map[string]*event

// farthest is the maximum length of a path: the chain of pages in an untrusted file may have no
// end.
const farthest = 1000

// ancestors returns the pages on the paths from the URLs in f back to their seeds. Each search
// extends all paths by one step.
func (s *searcher) ancestors(ctx context.Context, f found) (pages, error) {
	all := pages{}
	next := map[string]bool{}
	for _, events := range f {
		all.want(origin(events), next)
	}
	for range farthest {
		if len(next) == 0 {
			break
		}
		if err := s.parents(ctx, next, all); err != nil {
			return nil, err
		}
		step := next
		next = map[string]bool{}
		for url := range step {
			if e := all[url]; e != nil {
				all.want(*e, next)
			}
		}
	}
	return all, nil
}

// want adds the page with the link of e to next, unless it was searched already.
func (p pages) want(e event, next map[string]bool) {
	via := e.via()
	if _, known := p[via]; !known && via != "" {
		p[via] = nil
		next[via] = true
	}
}

// parents searches for an answer of each of the URLs. It prefers the answer of a first visit,
// because later ones do not name the page with the link.
func (s *searcher) parents(ctx context.Context, urls map[string]bool, found pages) error {
	open := len(urls)
	err := s.answers(ctx, urls, func(e event) error {
		url := e.rec.URL()
		if old := found[url]; old != nil && !old.visited() {
			return nil
		}
		if found[url] == nil || e.via() != "" {
			found[url] = &e
		}
		if !e.visited() {
			open--
		}
		if open == 0 {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// origin returns the oldest event that names the page with the link. Visits that refresh requested
// do not name it. If no event names it, origin returns the first event.
func origin(events []event) event {
	for _, e := range events {
		if e.via() != "" {
			return e
		}
	}
	return events[0]
}

// way returns the pages on the path from the event back to a seed, the nearest first, a line each.
func (p pages) way(e event) (steps []string) {
	met := map[string]bool{e.rec.URL(): true}
	for len(steps) < farthest {
		via := e.via()
		if via == "" {
			return seed(steps, e)
		}
		if met[via] {
			return append(steps, safe(via)+", which closes a circle")
		}
		met[via] = true
		parent := p[via]
		if parent == nil {
			return append(steps, safe(via)+", of which no answer was found")
		}
		e = *parent
		steps = append(steps, fmt.Sprintf("%s (depth %d, %s)", safe(via), e.rec.Int(urlbatch.Depth), e.transaction()))
	}
	return append(steps, "and so on")
}

// seed adds a text to the last step that says where it came from. If there is no step, the text is
// about the URL itself.
func seed(steps []string, e event) []string {
	what := "a seed"
	switch {
	case e.visited():
		what = "requested again; the page with the link is not known"
	case e.rec.Int(urlbatch.Depth) > 0:
		what = "not a seed, by its depth; the page with the link is not known"
	}
	if len(steps) == 0 {
		return []string{what}
	}
	steps[len(steps)-1] += ": " + what
	return steps
}
