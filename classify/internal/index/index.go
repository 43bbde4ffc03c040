// Package index is the hash table that documents, vocabularies and lists of words are looked up in.
package index

import (
	"math/bits"
	"math/rand/v2"
)

// An Index maps hashes to positions in a list. It is an open hash table whose slots are chosen with
// a secret number: pages come from strangers, who could else find terms that all fall into the same
// slot. Its zero value is empty. Hash 0 counts as 1.
//
// Find and Has may be called from any number of goroutines at once, as long as nothing is put.
type Index struct {
	hashes []uint64 // of each slot; 0 is a free one
	at     []uint32 // of each slot; apart from hashes, so that comparing these needs little of the cache
	secret uint64   // odd
	shift  int
	used   int
}

// smallest is the number of slots that there are at least.
const smallest = 64

// Find gives the position stored for hash.
func (x *Index) Find(hash uint64) (at uint32, ok bool) {
	if x.used == 0 {
		return 0, false
	}
	i, ok := x.slot(max(hash, 1))
	return x.at[i], ok
}

// Has tells whether a position is stored for hash.
func (x *Index) Has(hash uint64) bool {
	if x.used == 0 {
		return false
	}
	_, ok := x.slot(max(hash, 1))
	return ok
}

// slot is where hash is, or else the free slot where it would be.
func (x *Index) slot(hash uint64) (i int, ok bool) {
	mask := len(x.hashes) - 1
	for i = int(hash * x.secret >> x.shift); ; i++ {
		switch x.hashes[i&mask] {
		case hash:
			return i & mask, true
		case 0:
			return i & mask, false
		}
	}
}

// Put gives the position of hash; a new hash gets position at, and added is true.
func (x *Index) Put(hash uint64, at uint32) (position uint32, added bool) {
	if 3*len(x.hashes) <= 4*x.used {
		x.grow()
	}
	hash = max(hash, 1)
	i, ok := x.slot(hash)
	if ok {
		return x.at[i], false
	}
	x.hashes[i], x.at[i] = hash, at
	x.used++
	return at, true
}

// grow doubles the table.
func (x *Index) grow() {
	old := *x
	n := max(2*len(old.hashes), smallest)
	x.hashes, x.at = make([]uint64, n), make([]uint32, n)
	x.secret, x.shift = rand.Uint64()|1, 64-bits.TrailingZeros(uint(n))
	for i, hash := range old.hashes {
		if hash != 0 {
			to, _ := x.slot(hash)
			x.hashes[to], x.at[to] = hash, old.at[i]
		}
	}
}

// Len is the number of hashes.
func (x *Index) Len() int { return x.used }

// Clear empties x and keeps its memory, but for a table that has become much too large: it is
// halved, since in a large one little lies far apart.
func (x *Index) Clear() {
	if n := len(x.hashes) / 2; n >= smallest && 16*x.used < n {
		x.hashes, x.at, x.shift = x.hashes[:n], x.at[:n], x.shift+1
	}
	clear(x.hashes)
	x.used = 0
}
