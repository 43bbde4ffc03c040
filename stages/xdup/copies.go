package main

import (
	"crypto/sha1"
	"encoding/binary"
	"slices"

	"multitext/stages/internal/formats/samelinks"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
)

// handOn writes a duplicate with its body to -copies. It does so if the links lead to other URLs
// than on the first copy, and if the body was not seen at this place before.
func (x *deduper) handOn(d digest, a *warc.Answer, first original) error {
	if first.reading == readingAside {
		return nil
	}
	record := a.Record()
	read := samelinks.Of(a, record)
	if read == samelinks.None {
		return nil
	}
	server, path, ok := samelinks.Split(a.URL())
	if !ok {
		return nil
	}
	firstServer, firstPath, ok := samelinks.Split(first.URL)
	alike := ok && read == first.reading
	if alike && server == firstServer && path == firstPath {
		return nil
	}
	if fresh, err := x.enter(d, server, samelinks.Hash(path)^read); err != nil || !fresh {
		return err
	}
	packed := a.Packed()
	if alike {
		marked, err := x.encoder.WithAttribute(a, urlbatch.Copy, first.URL)
		if err != nil {
			return err
		}
		packed = marked
	}
	x.rep.Count("copies", 1)
	return x.copied.Write(packed)
}

// enter adds a place of a body on a server. fresh is false if the place is known already, or if
// there are too many places.
func (x *deduper) enter(d digest, server string, place uint32) (fresh bool, err error) {
	key := placesKey(d, server)
	entry, ok := x.places[key]
	if !ok {
		if entry, _, err = x.known.Get(key); err != nil {
			return false, err
		}
		if !isPlaces(entry) {
			entry = []byte{entryPlaces}
		}
		entry = slices.Clip(entry) // appending must not overwrite the state
	}
	for places := entry[1:]; len(places) > 0; places = places[placeSize:] {
		if binary.LittleEndian.Uint32(places) == place {
			return false, nil
		}
	}
	if len(entry) > x.mostPlaces*placeSize {
		x.rep.Count("copies-over-limit", 1)
		return false, nil
	}
	x.places[key] = binary.LittleEndian.AppendUint32(entry, place)
	return true, nil
}

// placeSize is the size of a place in an entry, in bytes.
const placeSize = 4

func isPlaces(value []byte) bool {
	return len(value) > 0 && value[0] == entryPlaces && len(value)%placeSize == 1
}

// placesKey returns the key of the entry that has the places of a body on a server. A server has
// such an entry if the body was seen there at another place than the first copy's. The key is the
// first 8 bytes, big-endian, of the SHA-1 of the body's SHA-1 and the server's scheme://host. The
// value is
//
//	1 byte      'p'
//	4 bytes     each place, little-endian: hash of the path xor hash of the head's reading
func placesKey(d digest, server string) uint64 {
	sum := sha1.Sum(append(d[:], server...))
	return binary.BigEndian.Uint64(sum[:])
}
