package webgraph

import (
	"encoding/binary"
	"errors"
	"math"
)

var errColumn = errors.New("values of pages are malformed")

// inColumn is the number of pages whose values are in one entry.
const inColumn = 4096

// A column writes a value of each page, ascending from page 0, as entries of a kind.
type column struct {
	*State
	kind uint64

	values []byte // of the pages from first on, as their entry has them
	first  uint64
	held   int // entries that are not in a file
}

// add adds the value of the next page.
func (c *column) add(page uint32, value float32) error {
	if page%inColumn == 0 {
		if err := c.keep(); err != nil {
			return err
		}
		c.first = uint64(page)
	}
	c.values = binary.LittleEndian.AppendUint32(c.values, math.Float32bits(value))
	return nil
}

// keep makes an entry of what was added.
func (c *column) keep() error {
	if len(c.values) == 0 {
		return nil
	}
	c.fresh.Add(keyOf(c.kind, c.first), c.values)
	c.values = make([]byte, 0, 4*inColumn)
	if c.held++; c.held < c.most {
		return nil
	}
	c.held = 0
	return c.settle()
}

// eachValue calls do with the values of an entry.
func eachValue(entry []byte, do func(float32) error) error {
	if len(entry)%4 > 0 || len(entry) == 0 || len(entry) > 4*inColumn {
		return errColumn
	}
	for ; len(entry) > 0; entry = entry[4:] {
		value := math.Float32frombits(binary.LittleEndian.Uint32(entry))
		if !(value >= 0 && value <= math.MaxFloat32) {
			return errColumn
		}
		if err := do(value); err != nil {
			return err
		}
	}
	return nil
}

// A reading gives the values that a column has written the last time, of pages whose numbers ascend.
type reading struct {
	entries *walk
	values  []float32 // of the pages from first on
	first   uint64
	begun   bool
}

func (s *State) reading(kind uint64) *reading { return &reading{entries: s.walk(kind)} }

// at is the value of a page, 0 for one that has none.
func (r *reading) at(page uint64) (float32, error) {
	if first := page - page%inColumn; !r.begun || r.first != first {
		r.begun, r.first, r.values = true, first, r.values[:0]
		if ok, err := r.entries.to(first); err != nil || !ok || r.entries.of != first {
			return 0, err
		}
		err := eachValue(r.entries.value, func(value float32) error {
			r.values = append(r.values, value)
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	if at := page - r.first; at < uint64(len(r.values)) {
		return r.values[at], nil
	}
	return 0, nil
}
