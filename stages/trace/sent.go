package main

import (
	"fmt"
	"strings"
)

// A node is another crawler for which a queue of this crawler has a folder. The folder remains
// after its batches are fetched, so it shows every node to which something was sent.
type node struct{ name, queue string }

// sent returns a text that says to which nodes the URL was sent, and when, or "". It uses the
// batches for nodes among events, and the state in which classify links keeps the keys of sent
// URLs. If the segment with the URL's key is the result of a merge, its transaction is a later one.
func (s *searcher) sent(url string, events []event) (string, error) {
	var said []string
	lies := map[node]bool{}
	for _, e := range events {
		if n := (node{e.to, e.queue}); e.to != "" && !e.answer && !lies[n] {
			lies[n] = true
			said = append(said, fmt.Sprintf("%s, in %s, and waits for it in %s", safe(n.name), e.transaction(),
				safe(n.queue)))
		}
	}
	for _, n := range s.nodes {
		if lies[n] {
			continue
		}
		segment, err := s.segmentOf(n.name + " " + url)
		if err != nil {
			return "", err
		}
		if segment.queue != "" {
			said = append(said, fmt.Sprintf("%s, in %s or before (it is in the state %s), and no longer in %s",
				safe(n.name), segment.transaction(), safe(segment.queue), safe(n.queue)))
		}
	}
	if said == nil {
		return "", nil
	}
	return "sent to " + strings.Join(said, "; to "), nil
}
