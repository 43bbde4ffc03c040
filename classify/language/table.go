package language

// table numbers n-grams from 0 on, in the order in which they are added. It is a hash table of open addressing, at
// most three quarters full. Only those of profiles are added, so that no page can make it slow.
type table struct {
	slots []slot
	shift int
	n     int32
}

type slot struct {
	gram  gram // 0 for a free one
	place int32
}

func newTable() table { return sizedTable(6) }

// sizedTable has 2^log slots.
func sizedTable(log int) table { return table{slots: make([]slot, 1<<log), shift: 64 - log} }

// of is the number of an n-gram, or -1.
func (t *table) of(g gram) int32 {
	if s := t.slot(g); s.gram == g {
		return s.place
	}
	return -1
}

// add is the number of an n-gram, a new one if need be.
func (t *table) add(g gram) int32 {
	s := t.slot(g)
	if s.gram == g {
		return s.place
	}
	if int(t.n) == len(t.slots)/4*3 {
		t.grow()
		s = t.slot(g)
	}
	*s = slot{g, t.n}
	t.n++
	return s.place
}

// grow doubles the table.
func (t *table) grow() {
	larger := sizedTable(64 - t.shift + 1)
	larger.n = t.n
	for _, s := range t.slots {
		if s.gram != 0 {
			*larger.slot(s.gram) = s
		}
	}
	*t = larger
}

// slot is the slot of an n-gram, or the free one where it belongs.
func (t *table) slot(g gram) *slot {
	const golden = 0x9e3779b97f4a7c15 // 2^64 / φ: multiplicative hashing (Knuth, The Art of Computer Programming 6.4)
	i := uint64(g) * golden >> t.shift
	for t.slots[i].gram != 0 && t.slots[i].gram != g {
		i = (i + 1) & uint64(len(t.slots)-1)
	}
	return &t.slots[i]
}
