package classify

import "math/rand/v2"

// An index maps hashes of terms to positions in a list. It is an open hash table whose slots
// are chosen with a secret number: pages come from strangers, who could else find terms
// that all fall into the same slot.
//
// Two terms with the same hash are the same term to it. With 64 bits that befalls no honest
// page, and a forger only spoils the counts of his own.
type index struct {
	slots  []slot
	secret uint64 // odd
	shift  uint
	used   int
	round  uint32 // slots of another round are empty
}

type slot struct {
	hash  uint64
	at    uint32
	round uint32
}

// find gives the position stored for hash.
func (x *index) find(hash uint64) (at uint32, ok bool) {
	if x.used == 0 {
		return 0, false
	}
	s := &x.slots[x.slot(hash)]
	return s.at, s.round == x.round
}

// slot is where hash is, or the empty slot where it would be.
func (x *index) slot(hash uint64) int {
	mask := len(x.slots) - 1
	for i := int(hash * x.secret >> x.shift); ; i = (i + 1) & mask {
		if s := &x.slots[i&mask]; s.round != x.round || s.hash == hash {
			return i & mask
		}
	}
}

// put gives the position of hash; a new hash gets position at, and added is true.
func (x *index) put(hash uint64, at uint32) (position uint32, added bool) {
	if 2*(x.used+1) > len(x.slots) {
		x.grow()
	}
	s := &x.slots[x.slot(hash)]
	if s.round == x.round {
		return s.at, false
	}
	*s = slot{hash, at, x.round}
	x.used++
	return at, true
}

func (x *index) grow() {
	old, round := x.slots, x.round
	if old == nil {
		x.slots, x.shift = make([]slot, 64), 64-6
	} else {
		x.slots = make([]slot, 2*len(old))
		x.shift--
	}
	x.secret, x.round = rand.Uint64()|1, 1
	for _, s := range old {
		if s.round == round {
			s.round = x.round
			x.slots[x.slot(s.hash)] = s
		}
	}
}

// clear empties x in no time and keeps its memory.
func (x *index) clear() {
	x.used = 0
	x.round++
	if x.round == 0 {
		clear(x.slots)
		x.round = 1
	}
}
