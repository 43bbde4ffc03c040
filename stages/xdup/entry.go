package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"multitext/stages/internal/segment"
	"multitext/stages/internal/warc"
)

// A digest is the SHA-1 of a body.
type digest [sha1.Size]byte

func (d digest) key() uint64  { return binary.BigEndian.Uint64(d[:keySize]) }
func (d digest) rest() []byte { return d[keySize:] }

// The parts of an entry; the package comment has the layout.
const (
	entryVersion = 1   // of a body
	entryNear    = 'n' // of a super-shingle
	keySize      = 8
	restSize     = sha1.Size - keySize
	fixedSize    = 1 + restSize + 8
	nearSize     = 1 + keySize
)

func encodeEntry(d digest, first warc.Original) []byte {
	b := append(make([]byte, 0, fixedSize+len(first.URL)), entryVersion)
	b = append(b, d.rest()...)
	b = binary.LittleEndian.AppendUint64(b, uint64(first.Date.UnixMilli()))
	return append(b, first.URL...)
}

// decodeEntry reads the value under the key of d. same is false when it is another body's, or a
// super-shingle's.
func decodeEntry(d digest, value []byte) (first warc.Original, same bool, err error) {
	if isNear(value) {
		return first, false, nil
	}
	if err := checkVersion(value); err != nil {
		return first, false, err
	}
	return original(value), string(value[1:1+restSize]) == string(d.rest()), nil
}

// original reads the first copy of a body's entry.
func original(value []byte) warc.Original {
	ms := int64(binary.LittleEndian.Uint64(value[1+restSize:]))
	return warc.Original{URL: string(value[fixedSize:]), Date: time.UnixMilli(ms)}
}

func checkVersion(value []byte) error {
	if len(value) < fixedSize || value[0] != entryVersion {
		return errors.New("state of digests: an entry that is not of version 1 (was -digests given another stage's state?)")
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
	if isNear(value) {
		return "", nil
	}
	if err := checkVersion(value); err != nil {
		return "", err
	}
	if url := value[fixedSize:]; !bytes.Contains(url, []byte("://")) {
		return "", fmt.Errorf("the first copy has the URL %.60q, which is none: another stage's state?", url)
	}
	return "", nil
}

// entries gives what the run adds to the state.
func (x *deduper) entries() segment.Batch {
	var b segment.Batch
	for d, first := range x.fresh {
		b.Add(d.key(), encodeEntry(d, first))
	}
	if x.near != nil {
		for key, page := range x.near.fresh {
			b.Add(key, encodeNear(page))
		}
	}
	b.Sort()
	return b
}
