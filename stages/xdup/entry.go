package main

import (
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"multitext/stages/internal/formats/warc"
)

// A digest is the SHA-1 of a body.
type digest [sha1.Size]byte

func (d digest) key() uint64  { return binary.BigEndian.Uint64(d[:keySize]) }
func (d digest) rest() []byte { return d[keySize:] }

// The parts of an entry.
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

// encodeEntry returns the value under the key of a body; the key is the first 8 bytes of its SHA-1,
// big-endian:
//
//	1 byte      version = 2
//	12 bytes    the rest of the SHA-1
//	8 bytes     WARC-Date of the first copy, unix milliseconds, little-endian
//	4 bytes     what the first copy's head says of its links, hashed; 0 without -copies, and
//	            ff ff ff ff where that copy went to -aside
//	the rest    URL of the first copy
//
// With the rest of the digest all 160 bits decide. Keys alone would meet by chance: among 100
// million bodies 0.0003 pairs are expected, among ten billion 2.7. When that happens the later body
// takes the entry, and the next copy of the earlier one is kept once more; a page is never lost.
// SHA-1 does not withstand forgers, who can make two bodies of theirs equal: they harm their own
// pages.
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
	if body, err := isBody(value); !body {
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

// isBody reports whether a value is that of a body. It fails for values that are not of this state.
func isBody(value []byte) (bool, error) {
	if isNear(value) || isPlaces(value) {
		return false, nil
	}
	if len(value) < fixedSize || value[0] != entryBody {
		return false, errors.New("state of digests: an entry that is not of version 2 " +
			"(was -digests given another stage's state?)")
	}
	return true, nil
}

// encodeNear returns the value of a super-shingle, which is its key: each text that is like no
// other has entries for those that no text had before it. page is the key of the body that had it
// first:
//
//	1 byte      'n'
//	8 bytes     page, big-endian
func encodeNear(page uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{entryNear}, page)
}

func isNear(value []byte) bool { return len(value) == nearSize && value[0] == entryNear }

// verifyEntry checks that a value is one of this state, any key's. Values of other states may begin
// with the version, but have no URL where this one has it.
func verifyEntry(value []byte) (text string, err error) {
	body, err := isBody(value)
	if err != nil || !body {
		return "", err
	}
	if url := originalOf(value).URL; !strings.Contains(url, "://") {
		return "", fmt.Errorf("the first copy has the URL %.60q, which is none: another stage's state?", url)
	}
	return "", nil
}
