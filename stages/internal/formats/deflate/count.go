package deflate

// counts says how often each symbol stands in a block.
type counts struct {
	lit  [numLit]uint32
	dist [roomDist]uint32
}

// take counts what e.find made, and the end of the block.
func (c *counts) take(matches []match, literals []byte) {
	*c = counts{}
	c.lit[endOfBlock] = 1
	for _, l := range literals {
		c.lit[l]++
	}
	for _, m := range matches {
		c.lit[firstCopy+int(lengthSymbol[m.length()])]++
		c.dist[m.dist()]++
	}
}

// size returns the bits that the counted symbols take.
func (c *counts) size(k *codes) int {
	size := 0
	for s, n := range c.lit {
		size += int(n) * int(k.litLen[s])
	}
	for s, extra := range lengthExtra {
		size += int(c.lit[firstCopy+s]) * int(extra)
	}
	for s, n := range c.dist[:numDist] {
		size += int(n) * int(k.distLen[s]+distExtra[s])
	}
	return size
}
