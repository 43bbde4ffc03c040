package deflate

import "slices"

// A builder finds the lengths of Huffman codes.
type builder struct {
	leaves []uint32 // frequency<<9 | symbol, the rarest first
	nodes  []uint32
}

const symbolBits = 9

// lengths sets n[s] to the length of the code of each symbol that occurs, of at most limit bits,
// and to 0 for the others. Two symbols at least have a code, since some readers refuse a code of
// one.
func (b *builder) lengths(n []uint8, freq []uint32, limit int) {
	clear(n)
	b.sort(freq)
	for s := 0; len(b.leaves) < 2; s++ {
		if freq[s] == 0 {
			b.leaves = slices.Insert(b.leaves, 0, 1<<symbolBits|uint32(s))
		}
	}
	at := b.depths(limit)
	leaves := b.leaves
	for length := limit; length > 0; length-- {
		for _, leaf := range leaves[:at[length]] {
			n[leaf&(1<<symbolBits-1)] = uint8(length)
		}
		leaves = leaves[at[length]:]
	}
}

// sort makes leaves of the symbols that occur. Most are rare: these are counted into their places.
func (b *builder) sort(freq []uint32) {
	const often = 256
	var next [often + 1]uint32 // place of each frequency
	for _, f := range freq {
		next[min(f, often)]++
	}
	next[0] = 0
	n := uint32(0)
	for f := 1; f <= often; f++ {
		n, next[f] = n+next[f], n
	}
	b.leaves = slices.Grow(b.leaves[:0], int(n)+2)[:n]
	for s, f := range freq {
		if f != 0 {
			b.leaves[next[min(f, often)]] = f<<symbolBits | uint32(s)
			next[min(f, often)]++
		}
	}
	slices.Sort(b.leaves[next[often-1]:])
}

// depths returns the number of leaves at each depth of the Huffman tree, with those below limit
// brought up.
func (b *builder) depths(limit int) (at [32]int) {
	b.nodes = b.nodes[:0]
	for _, leaf := range b.leaves {
		b.nodes = append(b.nodes, leaf>>symbolBits)
	}
	tree(b.nodes)
	// Of the inner nodes of each depth the children are nodes or leaves of the next.
	inner := b.nodes[:len(b.nodes)-1]
	room, depth := 1, 0
	for i := len(inner) - 1; room > 0; depth++ {
		nodes := 0
		for i >= 0 && int(inner[i]) == depth {
			nodes++
			i--
		}
		at[min(depth, limit)] += room - nodes
		room = 2 * nodes
	}
	balance(&at, limit)
	return at
}

// tree turns frequencies, of which the least comes first, into the depths of the inner nodes, of
// which the root is the last but one (Moffat and Katajainen: In-Place Calculation of
// Minimum-Redundancy Codes, 1995).
func tree(a []uint32) {
	leaf, node := 0, 0 // the least that have no parent yet
	for next := range len(a) - 1 {
		a2 := uint32(0)
		for range 2 {
			if leaf < len(a) && (node >= next || a[leaf] <= a[node]) {
				a2 += a[leaf]
				leaf++
			} else {
				a2 += a[node]
				a[node] = uint32(next)
				node++
			}
		}
		a[next] = a2
	}
	a[len(a)-2] = 0
	for i := len(a) - 3; i >= 0; i-- {
		a[i] = a[a[i]] + 1
	}
}

// balance makes a complete code again of one whose leaves below limit were brought up.
func balance(at *[32]int, limit int) {
	over := -1 << limit // leaves of the lowest depth for which there is no room
	for depth, n := range at[:limit+1] {
		over += n << (limit - depth)
	}
	for ; over > 0; over-- {
		// A leaf of the next depth that has one goes down, and one of the lowest becomes its
		// sibling.
		depth := limit - 1
		for at[depth] == 0 {
			depth--
		}
		at[depth]--
		at[depth+1] += 2
		at[limit]--
	}
}
