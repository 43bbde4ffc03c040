package waiting

import (
	"fmt"

	"multitext/stages/internal/state/ordered"
)

// A fold is what a merge does with the entries of the state: it drops the chunks whose URLs are all
// gone and the entries of ready lists that were read, and joins neighbouring chunks.
//
// A row that moved a head is newer than the chunks that it passes over: so the newest row of the
// segments that are merged decides, and without a row there all chunks stay.
type fold struct {
	pack *packer
	meta meta
	rows rowWalk
	next uint64 // host of the row where rows is
	of   []byte // that row
	row  row    // of the host whose chunks come; its queues alone are read
	held chunk  // which the next one may be joined to; n is 0 if there is none
	host uint64 // of it
	band uint8
	text []byte // its lines, if it was joined
	made []byte // the value that was written last
}

// Begin is a part of ordered.Edit.
func (f *fold) Begin(_ bool, beside *ordered.Merged) (err error) {
	f.rows, err = walkRows(beside, 0)
	return err
}

// Entry is a part of ordered.Edit.
func (f *fold) Entry(k ordered.Key, value []byte, put ordered.Put) error {
	if host, band, last, ok := isChunk(k); ok {
		return f.chunk(host, band, last, value, put)
	}
	if err := f.flush(put); err != nil {
		return err
	}
	if p, host, ok := isPlace(k); ok {
		if p.lane < lanes && f.meta.passed(p, host) {
			return nil
		}
		return put(k, nil)
	}
	if isOldRow(k) {
		return nil // migrate has written it anew
	}
	return put(k, value)
}

// chunk takes in a chunk: it is dropped, joined to the one before it, or held for the next.
func (f *fold) chunk(host uint64, band uint8, last uint64, value []byte, put ordered.Put) error {
	head, err := f.head(host, band)
	if err != nil {
		return err
	}
	//failpoint:last-url-dropped if last == head { return nil }
	if last < head {
		return nil
	}
	c, err := parseChunk(last, value)
	if err != nil {
		return err
	}
	if f.held.n > 0 && f.host == host && f.band == band && f.held.last+1 == c.first() &&
		f.held.size+c.size <= chunkBytes {
		return f.join(&c)
	}
	if err := f.flush(put); err != nil {
		return err
	}
	f.held, f.host, f.band = c, host, band
	return nil
}

// head is the position of the first URL of a queue that waits; 0 if the merge has no row of the host.
func (f *fold) head(host uint64, band uint8) (head uint64, err error) {
	for f.next < host {
		if f.next, f.of, err = f.rows.next(); err != nil {
			return 0, err
		}
	}
	if f.next != host {
		return 0, nil
	}
	if f.row.host != host {
		f.row.host = host
		if err := f.row.unpackQueues(f.of); err != nil {
			return 0, fmt.Errorf("row of a host, %016x: %w", host, err)
		}
	}
	return f.row.head(band), nil
}

// join appends c to the chunk that is held.
func (f *fold) join(c *chunk) error {
	if len(f.text) == 0 {
		text, err := f.pack.text(&f.held)
		if err != nil {
			return err
		}
		f.text = append(f.text[:0], text...)
	}
	text, err := f.pack.text(c)
	if err != nil {
		return err
	}
	f.text = append(f.text, text...)
	f.held = chunk{n: f.held.n + c.n, last: c.last, form: plain, size: len(f.text), lines: f.text}
	return nil
}

// flush writes the chunk that is held.
func (f *fold) flush(put ordered.Put) error {
	if f.held.n == 0 {
		return nil
	}
	c := f.pack.pack(f.held)
	f.made = c.append(f.made[:0])
	f.held, f.text = chunk{}, f.text[:0]
	return put(chunkKey(f.host, f.band, c.last), f.made)
}

// End is a part of ordered.Edit.
func (f *fold) End(put ordered.Put) error { return f.flush(put) }
