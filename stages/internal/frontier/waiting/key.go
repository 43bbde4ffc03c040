package waiting

import (
	"multitext/stages/internal/frontier/learned"
	"multitext/stages/internal/state/ordered"
)

// The parts of the low half of a host's keys: its chunks, its URLs; and what was fetched of the domain
// of that name.
const (
	chunkPart  = 1 << 56
	urlPart    = 2 << 56
	domainPart = 3 << 56
	modelPart  = 4 << 56   // of high half 0: what is learned
	rowPart    = 1 << 63   // of high half 0: rows of hosts
	urlBits    = 1<<56 - 1 // of the hash of a URL
	positions  = 1<<48 - 1 // of URLs in a queue, and times in a ready list
	listPart   = 1 << 63   // of the high half: ready lists lie behind all hosts
	bandShift  = 48
	laneShift  = 56
	bands      = 256
	hostBitsOf = listPart - 1
)

var metaKey = ordered.Key{}

// hostKey is the high half of all keys of a host; sum is the hash of its name.
func hostKey(sum uint64) uint64 { return max(sum&hostBitsOf, 1) }

func rowKey(host uint64) ordered.Key { return ordered.Key{Lo: rowPart | host} }

// isRow takes the key of a row apart.
func isRow(k ordered.Key) (host uint64, ok bool) {
	return k.Lo &^ rowPart, k.Hi == 0 && k.Lo > rowPart
}

// isOldRow tells whether k is the key of a row as states before version 3 have it.
func isOldRow(k ordered.Key) bool { return k.Lo == 0 && k.Hi != 0 }

// chunkKey is that of the chunk of a queue whose last URL has this position.
func chunkKey(host uint64, band uint8, last uint64) ordered.Key {
	return ordered.Key{Hi: host, Lo: chunkPart | uint64(band)<<bandShift | last}
}

// isChunk takes the key of a chunk apart.
func isChunk(k ordered.Key) (host uint64, band uint8, last uint64, ok bool) {
	return k.Hi, uint8(k.Lo >> bandShift), k.Lo & positions, k.Hi&listPart == 0 && k.Lo>>56 == 1
}

// urlKey is that of a URL of a host; sum is the hash of the URL.
func urlKey(host, sum uint64) ordered.Key {
	return ordered.Key{Hi: host, Lo: urlPart | sum&urlBits}
}

// isURL tells whether k is the key of a URL.
func isURL(k ordered.Key) bool { return k.Hi&listPart == 0 && k.Lo&^urlBits == urlPart }

// domainKey is that of a registered domain; sum is the hash of its name.
func domainKey(sum uint64) ordered.Key { return ordered.Key{Hi: hostKey(sum), Lo: domainPart} }

// isDomain tells whether k is the key of a registered domain.
func isDomain(k ordered.Key) bool { return k.Hi&listPart == 0 && k.Lo == domainPart }

// modelKey is that of a block of what is learned.
func modelKey(block int) ordered.Key { return ordered.Key{Lo: modelPart | uint64(block)} }

// isModel takes the key of such a block apart.
func isModel(k ordered.Key) (block int, ok bool) {
	return int(k.Lo &^ modelPart), k.Hi == 0 && k.Lo >= modelPart && k.Lo < modelPart+learned.Blocks
}

// A place is where a host stands in the ready lists.
type place struct {
	lane Lane
	band uint8
	at   int64 // unix milliseconds, from which on the host may be asked
}

func (p place) key(host uint64) ordered.Key {
	return ordered.Key{Hi: listPart | uint64(p.lane)<<laneShift | uint64(p.band)<<bandShift | uint64(p.at)&positions,
		Lo: host}
}

// isPlace takes the key of an entry of a ready list apart.
func isPlace(k ordered.Key) (p place, host uint64, ok bool) {
	p = place{Lane(k.Hi >> laneShift & 0x7f), uint8(k.Hi >> bandShift), int64(k.Hi & positions)}
	return p, k.Lo, k.Hi&listPart != 0
}
