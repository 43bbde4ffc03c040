package segment

// cursor walks the entries of a segment, or of a Entries, in order. It checks each block of a
// segment when it comes to it.
type cursor struct {
	reader *Reader
	next   int // block
	block  opened
	n, i   int

	batch Entries // where reader is nil
}

func entriesCursor(b Entries) *cursor { return &cursor{batch: b, n: len(b.Keys), i: -1} }

func readerCursor(r *Reader) *cursor { return &cursor{reader: r, i: -1} }

// advance goes to the next entry; it returns false at the end.
func (c *cursor) advance() (bool, error) {
	c.i++
	if c.i < c.n {
		return true, nil
	}
	if c.reader == nil || c.next == c.reader.blocks() {
		return false, nil
	}
	if err := c.reader.checkedBlock(c.next, &c.block); err != nil {
		return false, err
	}
	c.next++
	c.n, c.i = c.block.keys.n, 0
	return true, nil
}

func (c *cursor) key() uint64 {
	if c.reader == nil {
		return c.batch.Keys[c.i]
	}
	return c.block.keys.at(c.i)
}

func (c *cursor) value() ([]byte, error) {
	if c.reader != nil {
		return c.reader.value(&c.block, c.i)
	}
	if c.batch.Values == nil {
		return nil, nil
	}
	return c.batch.Values[c.i], nil
}

// Verify reads the whole segment and checks every block, the order of the keys and their number.
func (r *Reader) Verify() error {
	c := readerCursor(r)
	var total, last uint64
	for {
		ok, err := c.advance()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if total > 0 && c.key() <= last {
			return damaged(r.path, "key %016x behind %016x", c.key(), last)
		}
		if _, err := c.value(); err != nil {
			return err
		}
		last = c.key()
		total++
	}
	if total != r.total {
		return damaged(r.path, "%d entries where the footer says %d", total, r.total)
	}
	return nil
}

// merge adds the entries of the sources to w in order of their keys; of equal keys that of
// the first source wins. Entries of segments are left out if keep, unless it is nil, does not want
// them.
func merge(w *Writer, sources []*cursor, keep func(value []byte) bool) error {
	return walk(sources, func(c *cursor, value []byte) error {
		if c.reader != nil && keep != nil && !keep(value) {
			return nil
		}
		return w.Add(c.key(), value)
	})
}

// walk calls do with every key of the sources in order, once: with the value of the first source that
// has it, and the cursor that stands there.
func walk(sources []*cursor, do func(c *cursor, value []byte) error) error {
	live := sources[:0:0]
	for _, c := range sources {
		ok, err := c.advance()
		if err != nil {
			return err
		}
		if ok {
			live = append(live, c)
		}
	}
	for len(live) > 0 {
		first := live[0]
		for _, c := range live[1:] {
			if c.key() < first.key() {
				first = c
			}
		}
		k := first.key()
		value, err := first.value()
		if err == nil {
			err = do(first, value)
		}
		if err != nil {
			return err
		}
		if live, err = pass(live, k); err != nil {
			return err
		}
	}
	return nil
}

// pass moves every cursor that stands at k one entry on, and drops those at their end.
func pass(live []*cursor, k uint64) ([]*cursor, error) {
	kept := live[:0]
	for _, c := range live {
		if c.key() == k {
			ok, err := c.advance()
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
		}
		kept = append(kept, c)
	}
	return kept, nil
}
