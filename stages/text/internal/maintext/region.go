package maintext

// A region is an element that says of itself, by its name or its class, that it stands beside the
// main text. Some do so wrongly: see weigh.
type region struct {
	name  name
	deep  int  // how many elements of the name are open, itself included
	outer int  // the region around it, or -1
	words int  // of its text that reads like a main text
	left  bool // its text is left out: see weigh
}

// maxOpen limits the regions that are open at a time. What is deeper belongs to the last of them.
const maxOpen = 16

// region returns the number of the innermost open region, or -1.
func (b *blocks) region() int {
	if n := len(b.inside); n > 0 {
		return b.inside[n-1]
	}
	return -1
}

// enterRegion begins a region.
func (b *blocks) enterRegion(tag []byte) {
	if len(b.inside) == maxOpen || len(b.regions) == maxBlocks {
		b.deepen(tag)
		return
	}
	b.regions = append(b.regions, region{name: nameOf(tag), deep: 1, outer: b.region()})
	b.inside = append(b.inside, len(b.regions)-1)
}

// deepen notes the begin of an element that is no region.
func (b *blocks) deepen(tag []byte) {
	if i := b.innermost(tag); i >= 0 {
		b.regions[b.inside[i]].deep++
	}
}

// leaveRegion notes the end of an element.
func (b *blocks) leaveRegion(tag []byte) {
	i := b.innermost(tag)
	if i < 0 {
		return
	}
	r := &b.regions[b.inside[i]]
	if r.deep--; r.deep == 0 {
		b.inside = b.inside[:i]
	}
}

// innermost returns the place in inside of the innermost region of that name, or -1.
func (b *blocks) innermost(tag []byte) int {
	i := len(b.inside) - 1
	for i >= 0 && !b.regions[b.inside[i]].name.is(tag) {
		i--
	}
	return i
}
