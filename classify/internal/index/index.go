// Package index implements the hash table for looking up terms in documents, vocabularies and lists
// of words.
package index

import (
	"math/bits"
	"math/rand/v2"
)

// An Index maps hashes to positions in a list. It is an open hash table. A secret number influences
// the choice of the slots. Otherwise strangers could write pages whose terms all fall into the same
// slot. Its zero value is empty. Hash 0 is treated as 1.
//
// Any number of goroutines may call Find and Has at the same time, as long as no goroutine calls
// Put.
type Index struct {
	hashes []uint64 // the hash in each slot; 0 means a free slot
	at     []uint32 // the position in each slot; apart from hashes, so that a search needs less cache
	secret uint64   // odd
	shift  int
	used   int
}

// smallest is the minimum number of slots.
const smallest = 64

// Find returns the position stored for hash.
func (x *Index) Find(hash uint64) (at uint32, ok bool) {
	if x.used == 0 {
		return 0, false
	}
	i, ok := x.slot(max(hash, 1))
	return x.at[i], ok
}

// Has reports whether a position is stored for hash.
func (x *Index) Has(hash uint64) bool {
	if x.used == 0 {
		return false
	}
	_, ok := x.slot(max(hash, 1))
	return ok
}

// slot returns the slot of hash, or the free slot where it would be.
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

// Put returns the position of hash. If hash is new, Put stores at as its position and added is
// true.
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

// Len returns the number of hashes.
func (x *Index) Len() int { return x.used }

// Clear removes all hashes from x and keeps its memory. If the table has become much too large,
// Clear halves it, because the entries of a large table are spread over more memory.
func (x *Index) Clear() {
	if n := len(x.hashes) / 2; n >= smallest && 16*x.used < n {
		x.hashes, x.at, x.shift = x.hashes[:n], x.at[:n], x.shift+1
	}
	clear(x.hashes)
	x.used = 0
}
