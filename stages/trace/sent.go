package main

import (
	"fmt"
	"strings"
)

// A node is another crawler for which a queue of this one has a folder. The folder stays when its
// batches are taken, so all nodes to which anything was sent are known.
type node struct{ name, queue string }

// sent says to which nodes the URL was sent, and when; "" if to none. It goes by the batches for
// them among events, and by the state in which classify links keeps what it sent. The segment that
// has a URL's key may be one into which older ones were merged; then its transaction is a later
// one.
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
