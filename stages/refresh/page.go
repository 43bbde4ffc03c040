package main

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"multitext/stages/internal/run/keyed"
)

// page is what is known about a page.
type page struct {
	url             string
	depth           int64
	interval        time.Duration // from the last visit to the next
	visits, changes int64
	visited         time.Time // last visit
	captured        time.Time // first visit that found the current version
	version         uint64
	etag, modified  string // fields of the last answer that had a version, or ""
}

func keyOf(hash *keyed.Hash, url string) uint64 { return hash.Sum([]byte(url)) }

// due returns the time of the next visit.
func (p *page) due() time.Time { return p.visited.Add(p.interval) }

// skew is the largest allowed difference between clocks.
const skew = time.Hour

// ahead reports whether the last visit is in the future. Then a clock was wrong at that visit, and
// due times computed from it are ignored.
func (p *page) ahead(now time.Time) bool { return p.visited.After(now.Add(skew)) }

// In both states the key of an entry is the hash of its URL (package keyed). Values are
// little-endian, times in unix milliseconds. A value in the state known, version 1:
//
//	1 byte    version = 1
//	8 bytes   time of the last visit (WARC-Date)
//	8 bytes   time of the first visit that found the current version
//	8 bytes   the version: XXH64 of digest, Location or status
//	8 bytes   milliseconds from the last visit to the next
//	4 bytes   number of visits
//	4 bytes   number of visits that found a change
//	2 bytes   depth
//	2 bytes   length of the ETag, then 2 bytes: length of Last-Modified
//	          ETag, Last-Modified, and the URL, which is the rest
//
// A value in the state asked, version 1, has 1 byte version = 1 and 8 bytes: the time at which the
// URL was last written to -due.
const (
	entryVersion = 1
	pageSize     = 1 + 4*8 + 2*4 + 3*2
	askedSize    = 1 + 8
)

func (p *page) encode() []byte {
	le := binary.LittleEndian
	b := append(make([]byte, 0, pageSize+len(p.etag)+len(p.modified)+len(p.url)), entryVersion)
	b = le.AppendUint64(b, uint64(p.visited.UnixMilli()))
	b = le.AppendUint64(b, uint64(p.captured.UnixMilli()))
	b = le.AppendUint64(b, p.version)
	b = le.AppendUint64(b, uint64(p.interval.Milliseconds()))
	b = le.AppendUint32(b, uint32(p.visits))
	b = le.AppendUint32(b, uint32(p.changes))
	b = le.AppendUint16(b, uint16(min(max(p.depth, 0), 1<<16-1)))
	b = le.AppendUint16(b, uint16(len(p.etag)))
	b = le.AppendUint16(b, uint16(len(p.modified)))
	return append(append(append(b, p.etag...), p.modified...), p.url...)
}

var errEntry = errors.New("state of refresh: an entry that is not of version 1 (was it given another stage's state?)")

func decodePage(b []byte) (p page, err error) {
	if len(b) < pageSize || b[0] != entryVersion {
		return p, errEntry
	}
	le := binary.LittleEndian
	p.visited = time.UnixMilli(int64(le.Uint64(b[1:])))
	p.captured = time.UnixMilli(int64(le.Uint64(b[9:])))
	p.version = le.Uint64(b[17:])
	interval := le.Uint64(b[25:])
	p.interval = time.Duration(interval) * time.Millisecond
	p.visits = int64(le.Uint32(b[33:]))
	p.changes = int64(le.Uint32(b[37:]))
	p.depth = int64(le.Uint16(b[41:]))
	etag, modified := int(le.Uint16(b[43:])), int(le.Uint16(b[45:]))
	rest := b[pageSize:]
	if len(rest) <= etag+modified || interval == 0 || interval > math.MaxInt64/uint64(time.Millisecond) {
		return p, errEntry
	}
	p.etag, p.modified, p.url = string(rest[:etag]), string(rest[etag:etag+modified]), string(rest[etag+modified:])
	return p, nil
}

func encodeAsked(at time.Time) []byte {
	return binary.LittleEndian.AppendUint64([]byte{entryVersion}, uint64(at.UnixMilli()))
}

func decodeAsked(b []byte) (time.Time, error) {
	if len(b) != askedSize || b[0] != entryVersion {
		return time.Time{}, errEntry
	}
	return time.UnixMilli(int64(binary.LittleEndian.Uint64(b[1:]))), nil
}

// verifyEntry checks that value is an entry of one of the two states. For the state known it
// returns the URL.
func verifyEntry(value []byte) (url string, err error) {
	if _, err := decodeAsked(value); err == nil {
		return "", nil
	}
	p, err := decodePage(value)
	return p.url, err
}
