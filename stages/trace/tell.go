package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/urlbatch"
)

// tell prints what became of each URL.
func (s *searcher) tell(ctx context.Context, w io.Writer, args []string) error {
	urls := map[string]bool{}
	for i, arg := range args {
		if url, err := canon.Parse(arg); err == nil {
			args[i] = url
		}
		// As it was given, too: what has no canonical form was rejected as it stood.
		urls[arg], urls[args[i]] = true, true
	}
	f := found{}
	err := s.answers(ctx, urls, func(e event) error {
		f.addAnswer(e)
		return nil
	})
	if err == nil {
		err = s.records(ctx, urls, f)
	}
	for i, url := range args {
		if err == nil && i > 0 {
			_, err = fmt.Fprintln(w)
		}
		if err == nil {
			err = s.tellOne(ctx, w, url, f[url])
		}
	}
	return err
}

func (s *searcher) tellOne(ctx context.Context, w io.Writer, url string, events []event) error {
	slices.SortStableFunc(events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.tx, b.tx), a.date.Compare(b.date))
	})
	outcome, err := s.outcome(url, events)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n  %s\n", safe(url), outcome)
	for i := range events {
		fmt.Fprintf(w, "  %s\n", &events[i])
	}
	if len(events) == 0 {
		return nil
	}
	steps, err := s.way(ctx, first(events))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  path     %s\n", safe(url))
	for _, step := range steps {
		fmt.Fprintf(w, "           <- %s\n", step)
	}
	return nil
}

// outcome says in a few words what became of the URL.
func (s *searcher) outcome(url string, events []event) (string, error) {
	bodies, answers, reason, waits := 0, 0, "", ""
	for i := range events {
		e := &events[i]
		switch {
		case e.answer:
			if answers++; e.same == "" {
				bodies++
			}
		case e.reason() != "":
			reason = safe(e.queue) + ": " + e.reason()
		default:
			waits = "waiting in " + safe(e.queue)
		}
	}
	seen, err := s.seenIn(url)
	switch {
	case err != nil:
		return "", err
	case answers > 1:
		return fmt.Sprintf("fetched %d times, bodies: %d", answers, bodies), nil
	case bodies == 1:
		return "fetched", nil
	case answers == 1:
		return "duplicate", nil
	case reason != "":
		return reason, nil
	case waits != "":
		return waits, nil
	case seen != "":
		return "let through (it is in the state " + safe(seen) + "), and in no batch", nil
	}
	return "never met (restrict -explain tells whether it is in scope)", nil
}

// first gives the event that tells best where the URL came from: the oldest that has a page it was linked
// on, since a visit that refresh asks for has none.
func first(events []event) event {
	for _, e := range events {
		if e.via() != "" {
			return e
		}
	}
	return events[0]
}

// farthest bounds the way back: a chain of pages in a file that a stranger made may have no end.
const farthest = 1000

// way gives the pages on the way from the event back to a seed, the nearest first, a line each.
func (s *searcher) way(ctx context.Context, e event) (steps []string, err error) {
	met := map[string]bool{e.rec.URL(): true}
	for len(steps) < farthest {
		via := e.via()
		if via == "" {
			return seed(steps, e), nil
		}
		if met[via] {
			return append(steps, safe(via)+", and so in a circle"), nil
		}
		met[via] = true
		var parent *event
		err := s.answers(ctx, map[string]bool{via: true}, func(e event) error {
			if parent == nil || e.via() != "" {
				parent = &e
			}
			if e.get(urlbatch.Visit) != "" {
				return nil // a later visit does not tell who linked it: perhaps another does
			}
			return errEnough
		})
		if err != nil {
			return nil, err
		}
		if parent == nil {
			return append(steps, safe(via)+", of which no answer is left"), nil
		}
		e = *parent
		steps = append(steps, fmt.Sprintf("%s (depth %d, %s)", safe(via), e.rec.Int(urlbatch.Depth), e.transaction()))
	}
	return append(steps, "and so on"), nil
}

// seed says of the last step, or of the URL itself, where it came from.
func seed(steps []string, e event) []string {
	what := "a seed"
	if e.rec.Int(urlbatch.Depth) > 0 || e.get(urlbatch.Visit) != "" {
		what = "asked for again; who linked it is not told"
	}
	if len(steps) == 0 {
		return []string{what}
	}
	steps[len(steps)-1] += ": " + what
	return steps
}
