package main

import (
	"context"
	"errors"
	"fmt"

	"multitext/stages/internal/formats/urlbatch"
)

// pages is one answer of each page that was looked for; pages that are not there have none.
type pages map[string]*event

// farthest bounds the way back: a chain of pages in a file that a stranger made may have no end.
const farthest = 1000

// ancestors returns the pages on the ways from the URLs found back to their seeds. Each search
// takes all ways one step further.
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

// want adds the page that had the link of e to next, unless it was looked for already.
func (p pages) want(e event, next map[string]bool) {
	via := e.via()
	if _, known := p[via]; !known && via != "" {
		p[via] = nil
		next[via] = true
	}
}

// parents looks for an answer of each of the URLs. One of a first visit is best, because a later
// one does not say who linked the page.
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

// origin returns the oldest event that names the page with the link. A visit that refresh asks for
// names none. Without such an event it returns the first.
func origin(events []event) event {
	for _, e := range events {
		if e.via() != "" {
			return e
		}
	}
	return events[0]
}

// way returns the pages on the way from the event back to a seed, the nearest first, a line each.
func (p pages) way(e event) (steps []string) {
	met := map[string]bool{e.rec.URL(): true}
	for len(steps) < farthest {
		via := e.via()
		if via == "" {
			return seed(steps, e)
		}
		if met[via] {
			return append(steps, safe(via)+", and so in a circle")
		}
		met[via] = true
		parent := p[via]
		if parent == nil {
			return append(steps, safe(via)+", of which no answer is here")
		}
		e = *parent
		steps = append(steps, fmt.Sprintf("%s (depth %d, %s)", safe(via), e.rec.Int(urlbatch.Depth), e.transaction()))
	}
	return append(steps, "and so on")
}

// seed adds to the last step, or says of the URL itself, where it came from.
func seed(steps []string, e event) []string {
	what := "a seed"
	switch {
	case e.visited():
		what = "asked for again; who linked it is not told"
	case e.rec.Int(urlbatch.Depth) > 0:
		what = "no seed, by its depth; who linked it is not told"
	}
	if len(steps) == 0 {
		return []string{what}
	}
	steps[len(steps)-1] += ": " + what
	return steps
}
