package waiting

import (
	"errors"

	"multitext/stages/internal/frontier/learned"
	"multitext/stages/internal/state/ordered"
)

// Verify judges an entry of a segment of the state.
func Verify(k ordered.Key, value []byte) error {
	if k == metaKey {
		return new(meta).unpack(value)
	}
	if _, ok := isModel(k); ok {
		return learned.Verify(value)
	}
	if p, host, ok := isPlace(k); ok {
		if p.lane >= lanes || host == 0 || host > hostBitsOf || len(value) > 0 {
			return errors.New("it is no entry of a ready list")
		}
		return nil
	}
	if _, _, last, ok := isChunk(k); ok {
		return verifyChunk(last, value)
	}
	if isURL(k) {
		return new(standing).unpack(value)
	}
	if isDomain(k) {
		return new(domain).unpack(value)
	}
	if _, ok := isRow(k); !ok && !isOldRow(k) {
		return errors.New("it is of no kind that a frontier has")
	}
	return new(row).unpack(value)
}

// verifyChunk unpacks a chunk and counts its lines.
func verifyChunk(last uint64, value []byte) error {
	c, err := parseChunk(last, value)
	if err != nil {
		return err
	}
	text, err := new(packer).text(&c)
	if err != nil {
		return err
	}
	lines := uint64(0)
	for _, b := range text {
		if b == '\n' {
			lines++
		}
	}
	if lines != c.n {
		return errChunk
	}
	return nil
}
