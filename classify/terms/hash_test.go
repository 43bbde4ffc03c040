package terms

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// TestHash: a term has its hash wherever it stands, and no other has it: neither one that is longer
// by zeros, nor any of many.
func TestHash(t *testing.T) {
	met := map[uint64]string{}
	try := func(term string) {
		hash := Hash([]byte(term))
		if was, ok := met[hash]; ok && was != term {
			t.Errorf("%q and %q have the same hash", term, was)
		}
		met[hash] = term
		for _, rest := range []string{"", "x", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
			beside := []byte(term + rest)
			if got := Hash(beside[:len(term)]); got != hash {
				t.Errorf("%q has the hash %x, and before %q %x", term, hash, rest, got)
			}
			if got := Hash(beside[:len(term):len(term)]); got != hash {
				t.Errorf("%q has the hash %x, and %x where its memory ends", term, hash, got)
			}
		}
	}
	for n := range 20 {
		try(string(make([]byte, n)))
		for i := range n {
			for c := 'a'; c <= 'z'; c++ {
				term := make([]byte, n)
				for j := range term {
					term[j] = 'a'
				}
				term[i] = byte(c)
				try(string(term))
			}
		}
	}
	for i := range 100_000 {
		try(fmt.Sprint("w", i))
		try(fmt.Sprint("a longer word ", i))
	}
	if long := []byte("a term of seventeen"); Hash(long) != xxhash.Sum64(long) {
		t.Error("a long term has not its XXH64")
	}
}

// TestHashSpreads: each bit of a term decides about half of the bits of its hash.
func TestHashSpreads(t *testing.T) {
	for n := 1; n <= 16; n++ {
		term := []byte("internationalize")[:n]
		was, changed := Hash(term), 0
		for bit := range 8 * n {
			term[bit/8] ^= 1 << (bit % 8)
			changed += bits.OnesCount64(was ^ Hash(term))
			term[bit/8] ^= 1 << (bit % 8)
		}
		if mean := float64(changed) / float64(8*n); mean < 24 || mean > 40 {
			t.Errorf("a bit of a term of %d bytes changes %.1f bits of its hash", n, mean)
		}
	}
}
