package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"multitext/stages/internal/web/canon"
)

// tell prints the outcome of each URL, where it was found, and the path from its seed.
func (s *searcher) tell(ctx context.Context, w io.Writer, args []string) error {
	urls := map[string]bool{}
	for i, arg := range args {
		if url, err := canon.Parse(arg); err == nil {
			args[i] = url
		}
		// Also search for the argument as given: a URL without canonical form is rejected
		// unchanged.
		urls[arg], urls[args[i]] = true, true
	}
	f := found{}
	err := s.answers(ctx, urls, func(e event) error {
		f.addAnswer(e)
		return nil
	})
	if err == nil {
		err = s.records(ctx, urls, f)
		s.waits(urls, f)
	}
	if err != nil {
		return err
	}
	for _, events := range f {
		slices.SortStableFunc(events, func(a, b event) int {
			return cmp.Or(cmp.Compare(a.tx, b.tx), a.date.Compare(b.date))
		})
	}
	parents, err := s.ancestors(ctx, f)
	for i, url := range args {
		if err == nil && i > 0 {
			_, err = fmt.Fprintln(w)
		}
		if err == nil {
			err = s.tellOne(w, url, f[url], parents)
		}
	}
	return err
}

func (s *searcher) tellOne(w io.Writer, url string, events []event, parents pages) error {
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
	_, err = fmt.Fprintf(w, "  path     %s\n", safe(url))
	for _, step := range parents.way(origin(events)) {
		_, err = fmt.Fprintf(w, "           <- %s\n", step)
	}
	return err
}

// outcome returns in a few words what happened to the URL.
func (s *searcher) outcome(url string, events []event) (string, error) {
	bodies, reason, waits, held := 0, "", "", ""
	var answers []*event
	for i := range events {
		e := &events[i]
		switch {
		case e.answer:
			if answers = append(answers, e); e.same == "" {
				bodies++
			}
		case e.reason() != "":
			reason = safe(e.queue) + ": " + e.reason()
		case e.band != "":
			held = "waiting in the state " + safe(e.queue) + ", in band " + e.band +
				" of 0 to 255; frontier -explain prints when it will be fetched"
		default:
			waits = "waiting in " + safe(e.queue)
		}
	}
	sent, err := s.sent(url, events)
	if err != nil {
		return "", err
	}
	switch {
	case len(answers) > 1:
		return fmt.Sprintf("fetched %d times, bodies: %d", len(answers), bodies), nil
	case len(answers) == 1:
		return answers[0].outcome(), nil
	case sent != "":
		return sent, nil
	case reason != "":
		return reason, nil
	case held != "": // its batch may be kept, too
		return held, nil
	case waits != "":
		return waits, nil
	}
	return s.unmet(url)
}

// unmet returns the outcome of a URL that is in no batch and was not sent to another node as a
// link.
func (s *searcher) unmet(url string) (string, error) {
	seen, err := s.segmentOf(url)
	switch {
	case err != nil || seen.queue == "":
		return "never met (restrict -explain prints whether it is in scope)", err
	case len(s.nodes) > 0:
		return "let through (it is in the state " + safe(seen.queue) +
			"), and in no batch; or it or its page was sent to another node", nil
	}
	return "let through (it is in the state " + safe(seen.queue) + "), and in no batch", nil
}
