package main

import (
	"sync"

	"multitext/stages/internal/web/registered"
)

// maxShare is the number of bytes of robots.txt that the hosts of one registered domain may use in
// a run. A name server can give a domain any number of hosts, each with a robots.txt that is built
// to be expensive. The limit applies to the bytes fetched, and separately to the bytes parsed
// together with the work of judging URLs: about two seconds of work. A thousand ordinary files use
// an eighth of it.
const maxShare = 8 << 20

// judgedFaster is the number of bytes that can be searched for rules in the time it takes to parse
// one byte.
const judgedFaster = 32

// shares counts what registered domains have used. It is safe for concurrent use.
type shares struct {
	mu    sync.Mutex
	spent map[string]int64
}

func newShares() *shares { return &shares{spent: map[string]int64{}} }

// spend adds n bytes to the use of the origin's domain.
func (s *shares) spend(origin string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spent[registered.Domain(origin+"/")] += n
}

// left reports whether the domain of the origin has some of its share left.
func (s *shares) left(origin string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent[registered.Domain(origin+"/")] < maxShare
}
