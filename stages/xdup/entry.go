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
	entryBody    = 2   // first byte of a body's entry: the version
	entryNear    = 'n' // first byte of a super-shingle's entry
	entryPlaces  = 'p' // first byte of an entry with places of a body
	keySize      = 8
	restSize     = sha1.Size - keySize
	readingAt    = 1 + restSize + 8
	fixedSize    = readingAt + 4
	readingAside = 1<<32 - 1 // the first copy went to -aside: nobody follows its links
	nearSize     = 1 + keySize
)

// An original is the first copy of a body.
type original struct {
	warc.Original
	reading uint32 // hash of what its head says about its links; 0 without -copies
}

// encodeEntry returns the value under the key of a body; the key is the first 8 bytes of its SHA-1,
// big-endian:
//
//	1 byte      version = 2
//	12 bytes    the rest of the SHA-1
//	8 bytes     WARC-Date of the first copy, unix milliseconds, little-endian
//	4 bytes     hash of what the first copy's head says about its links; 0 without -copies,
//	            ff ff ff ff if that copy went to -aside
//	the rest    URL of the first copy
//
// Key and rest together have all 160 bits of the digest. Two bodies may have the same key by
// chance: among 100 million bodies 0.0003 such pairs are expected, among ten billion 2.7. If that
// happens, the later body replaces the entry, and the next copy of the earlier body is stored once
// more. No page is lost. A forger can make two bodies with the same SHA-1, but harms only his own
// pages.
func encodeEntry(d digest, first original) []byte {
	b := append(make([]byte, 0, fixedSize+len(first.URL)), entryBody)
	b = append(b, d.rest()...)
	b = binary.LittleEndian.AppendUint64(b, uint64(first.Date.UnixMilli()))
	b = binary.LittleEndian.AppendUint32(b, first.reading)
	return append(b, first.URL...)
}

// decodeEntry decodes the value under the key of d. same is false if the value belongs to another
// body, or is not the entry of a body.
func decodeEntry(d digest, value []byte) (first original, same bool, err error) {
	if body, err := isBody(value); !body {
		return first, false, err
	}
	return originalOf(value), string(value[1:1+restSize]) == string(d.rest()), nil
}

// originalOf returns the first copy in the entry of a body.
func originalOf(value []byte) (first original) {
	ms := int64(binary.LittleEndian.Uint64(value[1+restSize:]))
	first.reading = binary.LittleEndian.Uint32(value[readingAt:])
	first.Original = warc.Original{URL: string(value[fixedSize:]), Date: time.UnixMilli(ms)}
	return first
}

// isBody reports whether a value is the entry of a body. It returns an error for values that are
// not from this state.
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

// encodeNear returns the value for a super-shingle, which is the key. A text that is like no other
// has entries for those of its super-shingles that are new. page is the key of the first body with
// this super-shingle:
//
//	1 byte      'n'
//	8 bytes     page, big-endian
func encodeNear(page uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{entryNear}, page)
}

func isNear(value []byte) bool { return len(value) == nearSize && value[0] == entryNear }

// verifyEntry checks that a value comes from this state; it does not check the key. Values of other
// states may begin with the same version, but have no URL at this place.
func verifyEntry(value []byte) (text string, err error) {
	body, err := isBody(value)
	if err != nil || !body {
		return "", err
	}
	if url := originalOf(value).URL; !strings.Contains(url, "://") {
		return "", fmt.Errorf("%.60q, the URL of the first copy, is not a URL: is this another stage's state?", url)
	}
	return "", nil
}
