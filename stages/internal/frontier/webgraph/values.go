package webgraph

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/s2"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/state/ordered"
)

var (
	errNumber = errors.New("number of a page is malformed")
	errLinks  = errors.New("links are malformed")
	errURLs   = errors.New("URLs are malformed")
)

// numberOf is the number of a page.
func numberOf(value []byte) (uint32, error) {
	n, size := binary.Uvarint(value)
	if size != len(value) || size == 0 || n >= mostPages {
		return 0, errNumber
	}
	return uint32(n), nil
}

// packLinks appends the numbers, which ascend.
func packLinks(b []byte, links []uint32) []byte {
	last := uint32(0)
	for _, n := range links {
		b = binary.AppendUvarint(b, uint64(n-last))
		last = n
	}
	return b
}

// unpackLinks appends the numbers that packLinks has packed.
func unpackLinks(value []byte, links []uint32) ([]uint32, error) {
	last := uint64(0)
	for first := true; len(value) > 0; first = false {
		n, size := binary.Uvarint(value)
		if size <= 0 || n >= mostPages || last+n >= mostPages || n == 0 && !first {
			return links, errLinks
		}
		last += n
		links, value = append(links, uint32(last)), value[size:]
	}
	return links, nil
}

// chunkBytes is the length of lines up to which URLs are packed together.
const chunkBytes = 8 << 10

// urls packs the URLs of pages with numbers in a row.
type urls struct {
	lines []byte
	last  uint32
}

// add adds the next one.
func (u *urls) add(n uint32, url []byte, to *ordered.Entries) {
	if len(u.lines) > 0 && len(u.lines)+len(url) >= chunkBytes {
		u.flush(to)
	}
	u.lines = append(append(u.lines, url...), '\n')
	u.last = n
}

// flush makes an entry of what was added.
func (u *urls) flush(to *ordered.Entries) {
	if len(u.lines) > 0 {
		to.Add(keyOf(ofURLs, uint64(u.last)), packURLs(u.lines))
		u.lines = u.lines[:0]
	}
}

func packURLs(lines []byte) []byte { return s2.Encode(nil, lines) }

// unpackURLs returns the URLs of a chunk; buffer serves one chunk after the other.
func unpackURLs(last uint64, value, buffer []byte) (lines [][]byte, text []byte, err error) {
	if n, err := s2.DecodedLen(value); err != nil || n == 0 || n > chunkBytes+urlbatch.MaxLine+1 {
		return nil, buffer, errURLs
	}
	text, err = s2.Decode(buffer[:cap(buffer)], value)
	if err != nil || text[len(text)-1] != '\n' {
		return nil, buffer, errURLs
	}
	lines = bytes.Split(text[:len(text)-1], []byte{'\n'})
	if uint64(len(lines)) > last+1 {
		return nil, buffer, errURLs
	}
	return lines, text, nil
}

// Verify judges an entry of a segment of the state.
func Verify(k ordered.Key, value []byte) (err error) {
	switch {
	case k == keyOf(ofWhole, 0):
		return new(whole).unpack(value)
	case k.Hi == ofNumber:
		_, err = numberOf(value)
	case k.Hi == ofURLs && k.Lo < mostPages:
		_, _, err = unpackURLs(k.Lo, value, nil)
	case k.Hi == ofLinks && k.Lo < mostPages:
		_, err = unpackLinks(value, nil)
	case k.Hi == ofWorth && k.Lo < mostPages:
		return new(judgement).unpack(value)
	case k.Hi == ofAsked && k.Lo < mostPages:
		return new(asking).unpack(value)
	case (k.Hi == ofRanks || k.Hi == ofHubs || k.Hi == ofAuthorities) && k.Lo < mostPages && k.Lo%inColumn == 0:
		return eachValue(value, func(float32) error { return nil })
	default:
		return errors.New("it is of no kind that a graph of pages has")
	}
	return err
}
