package main

import (
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/state/segment"
)

// A digest is the SHA-1 of a body.
type digest [sha1.Size]byte

func (d digest) key() uint64  { return binary.BigEndian.Uint64(d[:keySize]) }
func (d digest) rest() []byte { return d[keySize:] }

// The parts of an entry; the package comment has the layout.
const (
	entryBody    = 2   // of a body
	entryNear    = 'n' // of a super-shingle
	entryPlaces  = 'p' // of the places at which a body was met
	keySize      = 8
	restSize     = sha1.Size - keySize
	readingAt    = 1 + restSize + 8
	fixedSize    = readingAt + 4
	readingAside = 1<<32 - 1 // of a first copy that was set aside: nobody follows its links
	nearSize     = 1 + keySize
)

// An original is the first copy of a body.
type original struct {
	warc.Original
	reading uint32 // what its head says of its links; 0 if nobody asked
}

func encodeEntry(d digest, first original) []byte {
	b := append(make([]byte, 0, fixedSize+len(first.URL)), entryBody)
	b = append(b, d.rest()...)
	b = binary.LittleEndian.AppendUint64(b, uint64(first.Date.UnixMilli()))
	b = binary.LittleEndian.AppendUint32(b, first.reading)
	return append(b, first.URL...)
}

// decodeEntry reads the value under the key of d. same is false when it is another body's, or no
// body's.
func decodeEntry(d digest, value []byte) (first original, same bool, err error) {
	if isNear(value) || isPlaces(value) {
		return first, false, nil
	}
	if err := checkVersion(value); err != nil {
		return first, false, err
	}
	return originalOf(value), string(value[1:1+restSize]) == string(d.rest()), nil
}

// originalOf reads the first copy of a body's entry.
func originalOf(value []byte) (first original) {
	ms := int64(binary.LittleEndian.Uint64(value[1+restSize:]))
	first.reading = binary.LittleEndian.Uint32(value[readingAt:])
	first.Original = warc.Original{URL: string(value[fixedSize:]), Date: time.UnixMilli(ms)}
	return first
}

func checkVersion(value []byte) error {
	if len(value) < fixedSize || value[0] != entryBody {
		return errors.New("state of digests: an entry that is not of version 2 (was -digests given another stage's state?)")
	}
	return nil
}

// encodeNear makes the value of a super-shingle; page is the key of the body that had it first.
func encodeNear(page uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{entryNear}, page)
}

func isNear(value []byte) bool { return len(value) == nearSize && value[0] == entryNear }

// decodeNear reads the value of a super-shingle; ok is false where the entry is of another kind.
func decodeNear(value []byte) (page uint64, ok bool) {
	if !isNear(value) {
		return 0, false
	}
	return binary.BigEndian.Uint64(value[1:]), true
}

// verifyEntry tells whether a value is one of this state, any key's. Entries of other states may
// have the version, but no URL where this one has it.
func verifyEntry(value []byte) (text string, err error) {
	if isNear(value) || isPlaces(value) {
		return "", nil
	}
	if err := checkVersion(value); err != nil {
		return "", err
	}
	if url := originalOf(value).URL; !strings.Contains(url, "://") {
		return "", fmt.Errorf("the first copy has the URL %.60q, which is none: another stage's state?", url)
	}
	return "", nil
}

// entries gives what the run adds to the state.
func (x *deduper) entries() segment.Entries {
	var b segment.Entries
	for d, first := range x.fresh {
		b.Add(d.key(), encodeEntry(d, first))
	}
	if x.copies != nil {
		for key, places := range x.copies.fresh {
			b.Add(key, places)
		}
	}
	if x.near != nil {
		for key, page := range x.near.fresh {
			b.Add(key, encodeNear(page))
		}
	}
	return b
}
