package waiting

import (
	"encoding/binary"
	"fmt"
	"math"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/state/ordered"
	"multitext/stages/internal/state/segment"
)

// A standing is what the state knows of a URL, where links are counted. Its entry is, in unsigned
// varints unless said otherwise,
//
//	1 byte  version, 2, in the upper four bits; 1: it waits, 2: it was handed out, 0: neither is known;
//	        with 4 if there is cash, with 8 if there is a score
//	        if it waits: band and base (a byte each), position
//	        links, and those of other domains
//	        cash, if there is some: 8 bytes, a float64, little-endian
//	        score, if there is one: 4 bytes, a float32, little-endian
//
// Version 1 had no score.
type standing struct {
	key   ordered.Key
	mode  byte
	band  uint8  // of the queue where its record is
	base  uint8  // its band if nothing linked to it, and it had no score
	at    uint64 // position of the record in that queue
	links order.Links

	met     bool    // its first record is one of this run
	changed bool    // in this run
	parts   int     // links of this page that share its cash now
	share   float64 // of each of them
}

// Modes of a standing.
const (
	unknown = 0 // its links were counted before its record came, or it waits since before they were
	waits   = 1
	gone    = 2
)

const (
	hasCash         = 4
	hasScore        = 8
	standingVersion = 2 << 4
	withoutScore    = 1 << 4 // the version before it
)

func (t *standing) pack(b []byte) []byte {
	first := byte(standingVersion) | t.mode
	if t.links.Cash != 0 {
		first |= hasCash
	}
	if t.links.Score != 0 {
		first |= hasScore
	}
	b = append(b, first)
	if t.mode == waits {
		b = append(b, t.band, t.base)
		b = binary.AppendUvarint(b, t.at)
	}
	b = binary.AppendUvarint(b, t.links.All)
	b = binary.AppendUvarint(b, t.links.Others)
	if t.links.Cash != 0 {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(t.links.Cash))
	}
	if t.links.Score != 0 {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(t.links.Score))
	}
	return b
}

func (t *standing) unpack(value []byte) error {
	f := segment.FieldsOf(value)
	first := f.Byte()
	t.mode = first & 3
	if rest := first &^ (hasCash | 3); rest&^hasScore != standingVersion && rest != withoutScore || t.mode > gone {
		f.Fail(fmt.Errorf("entry of a URL begins with %02x, this program reads versions 1 and 2", first))
	}
	if t.mode == waits {
		t.band, t.base, t.at = f.Byte(), f.Byte(), f.Number(positions)
	}
	t.links.All, t.links.Others = f.Number(math.MaxInt64), f.Number(math.MaxInt64)
	if first&hasCash != 0 {
		if t.links.Cash = math.Float64frombits(fixed(f, 8)); !(t.links.Cash > 0 && t.links.Cash <= math.MaxFloat64) {
			f.Fail(fmt.Errorf("URL has a cash of %v", t.links.Cash))
		}
	}
	if first&hasScore != 0 {
		if t.links.Score = math.Float32frombits(uint32(fixed(f, 4))); !(t.links.Score > 0 && t.links.Score <= 1) {
			f.Fail(fmt.Errorf("URL has a score of %v", t.links.Score))
		}
	}
	return f.End()
}

// fixed takes a number of so many bytes, little-endian.
func fixed(f *segment.Fields, size int) (n uint64) {
	for i := range size {
		n |= uint64(f.Byte()) << (8 * i)
	}
	return n
}
