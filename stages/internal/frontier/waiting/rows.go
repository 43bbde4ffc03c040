package waiting

import (
	"fmt"
	"math"

	"multitext/stages/internal/state/ordered"
)

// A rowWalk goes through the rows of all hosts, in the order of their keys.
type rowWalk struct{ walk walker }

// A walker is an ordered.Cursor, or an ordered.Merged.
type walker interface {
	Seek(ordered.Key) error
	Next() (ordered.Key, []byte, bool, error)
}

// walkRows begins at the first row whose host is not below from.
func walkRows(walk walker, from uint64) (rowWalk, error) {
	return rowWalk{walk}, walk.Seek(rowKey(from))
}

// pastRows is the host that next gives behind the last one.
const pastRows = math.MaxUint64

// next returns the key of the next host, and its row as it is packed.
func (w rowWalk) next() (host uint64, value []byte, err error) {
	key, value, ok, err := w.walk.Next()
	host, isRow := isRow(key)
	if err != nil || !ok || !isRow {
		return pastRows, nil, err
	}
	return host, value, nil
}

// unpackRow reads the row of a host.
func unpackRow(host uint64, value []byte) (*row, error) {
	r := &row{host: host}
	if err := r.unpack(value); err != nil {
		return nil, fmt.Errorf("state of the frontier: row of a host, %016x: %w", host, err)
	}
	return r, nil
}
