// Package index is the hash table that documents, vocabularies and lists of words are looked up in.
package index

import "math/rand/v2"

// An Index maps hashes to positions in a list. It is an open hash table whose slots are chosen with a secret number: pages
// come from strangers, who could else find terms that all fall into the same slot. Its zero value is empty.
//
// Two terms with the same hash are the same term to it. With 64 bits that befalls no honest page, and a forger only spoils
// the counts of his own.
//
// Find may be called from any number of goroutines at once, as long as nothing is put.
type Index struct {
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

// Find gives the position stored for hash.
func (x *Index) Find(hash uint64) (at uint32, ok bool) {
	if x.used == 0 {
		return 0, false
	}
	s := &x.slots[x.slot(hash)]
	return s.at, s.round == x.round
}

// slot is where hash is, or the empty slot where it would be.
func (x *Index) slot(hash uint64) int {
	mask := len(x.slots) - 1
	for i := int(hash * x.secret >> x.shift); ; i = (i + 1) & mask {
		if s := &x.slots[i&mask]; s.round != x.round || s.hash == hash {
			return i & mask
		}
	}
}

// Put gives the position of hash; a new hash gets position at, and added is true.
func (x *Index) Put(hash uint64, at uint32) (position uint32, added bool) {
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

func (x *Index) grow() {
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

// Len is the number of hashes.
func (x *Index) Len() int { return x.used }

// Clear empties x in no time and keeps its memory.
func (x *Index) Clear() {
	x.used = 0
	x.round++
	if x.round == 0 {
		clear(x.slots)
		x.round = 1
	}
}
