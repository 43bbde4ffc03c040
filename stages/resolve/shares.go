package main

import (
	"sync"

	"multitext/stages/internal/web/registered"
)

// maxShare is what the hosts of one registered domain may cost a run, in bytes of robots.txt: a
// name server gives a domain any number of hosts, each with a robots.txt made to be dear. So many
// bytes are fetched, and so many parsed, with what judging URLs takes beside it: some two seconds.
// A thousand usual ones take an eighth.
const maxShare = 8 << 20

// judgedFaster is how many bytes are looked through for rules in the time in which one is parsed.
const judgedFaster = 32

// shares are what registered domains have cost. They are safe for use by many goroutines.
type shares struct {
	mu    sync.Mutex
	spent map[string]int64
}

func newShares() *shares { return &shares{spent: map[string]int64{}} }

// spend notes what a host of its domain has cost.
func (s *shares) spend(origin string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spent[registered.Domain(origin+"/")] += n
}

// left tells whether the domain of the origin may cost more.
func (s *shares) left(origin string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent[registered.Domain(origin+"/")] < maxShare
}
