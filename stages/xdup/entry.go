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

func emptyBody() digest { return sha1.Sum(nil) }

func (d digest) key() uint64  { return binary.BigEndian.Uint64(d[:keySize]) }
func (d digest) rest() []byte { return d[keySize:] }

// The parts of an entry; the package comment has the layout.
const (
	entryVersion = 1
	keySize      = 8
	restSize     = sha1.Size - keySize
	fixedSize    = 1 + restSize + 8
)

func encodeEntry(d digest, first warc.Original) []byte {
	b := append(make([]byte, 0, fixedSize+len(first.URL)), entryVersion)
	b = append(b, d.rest()...)
	b = binary.LittleEndian.AppendUint64(b, uint64(first.Date.UnixMilli()))
	return append(b, first.URL...)
}

// decodeEntry reads the value under the key of d. same is false when it is another body's.
func decodeEntry(d digest, value []byte) (first warc.Original, same bool, err error) {
	if err := checkVersion(value); err != nil {
		return first, false, err
	}
	if string(value[1:1+restSize]) != string(d.rest()) {
		return first, false, nil
	}
	ms := int64(binary.LittleEndian.Uint64(value[1+restSize:]))
	return warc.Original{URL: string(value[fixedSize:]), Date: time.UnixMilli(ms)}, true, nil
}

func checkVersion(value []byte) error {
	if len(value) < fixedSize || value[0] != entryVersion {
		return errors.New("state of digests: an entry that is not of version 1 (was -digests given another stage's state?)")
	}
	return nil
}

// verifyEntry tells whether a value is one of this state, any key's. Entries of other states may
// have the version, but no URL where this one has it.
func verifyEntry(_ uint64, value []byte) error {
	if err := checkVersion(value); err != nil {
		return err
	}
	if url := value[fixedSize:]; !bytes.Contains(url, []byte("://")) {
		return fmt.Errorf("the first copy has the URL %.60q, which is none: another stage's state?", url)
	}
	return nil
}

// entries gives what the run adds to the state.
func (x *deduper) entries() segment.Batch {
	var b segment.Batch
	for d, first := range x.fresh {
		b.Add(d.key(), encodeEntry(d, first))
	}
	b.Sort()
	return b
}
