package ordered

import "slices"

// Cursor walks the entries of a Set in the order of their keys; of equal keys it gives the newest
// segment's entry. It begins in front of the first.
type Cursor struct {
	leaves []*leaf // of all segments
	heap   []*leaf // those that are not at their end; the least key is at the top
	low    Key     // no leaf is behind the first entry that is not below low …
	passed bool    // … or, if this is set, above it
	placed bool    // the leaves have a place
	given  bool    // the entry at the top was returned by Next
	err    error   // that ended the walk
}

// newCursor returns a cursor of segments, oldest first.
func newCursor(segments []*reader, checked bool) *Cursor {
	c := &Cursor{}
	for age, r := range segments {
		c.leaves = append(c.leaves, &leaf{reader: r, age: age, checked: checked})
	}
	return c
}

// forward has what is behind the cursor leave memory: it walks over much, and never back.
func (c *Cursor) forward() *Cursor {
	for _, l := range c.leaves {
		l.leaves = true
	}
	return c
}

// Seek goes to the first entry whose key is not below key: Next returns it. Forward over a short
// distance it is cheap.
func (c *Cursor) Seek(key Key) error {
	if c.err != nil {
		return c.err
	}
	if !c.placed || key.Less(c.low) || c.passed && key == c.low {
		c.err = c.place(key)
	}
	for c.err == nil && len(c.heap) > 0 && c.heap[0].key.Less(key) {
		c.err = c.heap[0].seek(key)
		c.sift()
	}
	c.low, c.passed, c.given = key, false, false
	return c.err
}

// place puts all leaves at key, wherever they are.
func (c *Cursor) place(key Key) error {
	c.heap, c.placed = c.heap[:0], true
	for _, l := range c.leaves {
		l.block, l.i, l.x.n, l.end = -1, 0, 0, false
		if err := l.seek(key); err != nil {
			return err
		}
		if !l.end {
			c.heap = append(c.heap, l)
		}
	}
	slices.SortFunc(c.heap, func(a, b *leaf) int {
		if above(a, b) {
			return -1
		}
		return 1
	})
	return nil
}

// Next returns the next entry; ok is false at the end. The value is valid until the set is closed.
func (c *Cursor) Next() (key Key, value []byte, ok bool, err error) {
	key, value, ok, err = c.peek()
	c.given = ok
	return key, value, ok, err
}

// peek returns what Next will return.
func (c *Cursor) peek() (key Key, value []byte, ok bool, err error) {
	if !c.placed {
		c.Seek(Key{})
	}
	if c.given {
		c.pass()
	}
	if c.err != nil || len(c.heap) == 0 {
		return Key{}, nil, false, c.err
	}
	top := c.heap[0]
	if value, c.err = top.reader.value(&top.x, top.i); c.err != nil {
		return Key{}, nil, false, c.err
	}
	c.low, c.passed = top.key, false
	return top.key, value, true, nil
}

// pass goes beyond the entry that was given, in all segments that have its key.
func (c *Cursor) pass() {
	for c.err == nil && len(c.heap) > 0 && c.heap[0].key == c.low {
		c.err = c.heap[0].next()
		c.sift()
	}
	c.passed, c.given = true, false
}

// above reports whether a stands above b in the heap.
func above(a, b *leaf) bool {
	if a.key == b.key {
		return a.age > b.age
	}
	return a.key.Less(b.key)
}

// sift brings the heap into order when the leaf at its top has moved.
func (c *Cursor) sift() {
	h := c.heap
	if h[0].end {
		h[0] = h[len(h)-1]
		h = h[:len(h)-1]
		c.heap = h
	}
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if above(h[child], h[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
