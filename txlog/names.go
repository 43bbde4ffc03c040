package txlog

import "strings"

// names are many names, packed: a million take some 40 MB, and the collector has
// nothing to look at in them. None is given back before all of its pack are.
type names struct {
	lengths []uint32
	packs   []string
	last    strings.Builder // the pack that is being filled
}

// packSize is the length of a pack that is full.
const packSize = 64 << 10

func (p *names) add(name Name) {
	if p.last.Len()+len(name) > packSize {
		p.packs = append(p.packs, p.last.String())
		p.last.Reset()
		p.last.Grow(packSize)
	}
	p.last.WriteString(string(name))
	p.lengths = append(p.lengths, uint32(len(name)))
}

// all goes through them in the order in which they came.
func (p *names) all(yield func(Name) bool) {
	packs, pack := append(p.packs, p.last.String()), ""
	for _, n := range p.lengths {
		for pack == "" && n > 0 {
			pack, packs = packs[0], packs[1:]
		}
		if !yield(Name(pack[:n])) {
			return
		}
		pack = pack[n:]
	}
}
