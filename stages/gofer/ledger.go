package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

// A fate is what became of a batch that was met.
type fate byte

const (
	unmet fate = iota // and so in no ledger
	taken
	unfit
	torn
)

// An entry of the ledger.
type entry struct {
	fate  fate
	looks int       // torn: how often it was looked at
	again time.Time // torn: not before
}

const (
	entryVersion = 1
	entrySize    = 2
	tornSize     = entrySize + 1 + 8
)

func (e entry) encode() []byte {
	b := []byte{entryVersion, byte(e.fate)}
	if e.fate != torn {
		return b
	}
	return binary.LittleEndian.AppendUint64(append(b, byte(e.looks)), uint64(e.again.Unix()))
}

func decodeEntry(b []byte) (e entry, err error) {
	if len(b) < entrySize || b[0] != entryVersion {
		return e, fmt.Errorf("entry of the ledger: %d bytes of another version than %d", len(b), entryVersion)
	}
	e.fate = fate(b[1])
	switch {
	case (e.fate == taken || e.fate == unfit) && len(b) == entrySize:
		return e, nil
	case e.fate == torn && len(b) == tornSize:
		e.looks = int(b[2])
		e.again = time.Unix(int64(binary.LittleEndian.Uint64(b[3:])), 0)
		return e, nil
	}
	return entry{}, fmt.Errorf("entry of the ledger: %d bytes of kind %d", len(b), b[1])
}

func verifyEntry(value []byte) (text string, err error) {
	_, err = decodeEntry(value)
	return "", err
}

const (
	firstRest = 10 * time.Minute
	maxRest   = 24 * time.Hour
)

// tornAgain is the entry of a batch that was found torn, when old is what the ledger says so far.
func (e entry) tornAgain(now time.Time) entry {
	looks := min(e.looks+1, 255)
	rest := maxRest
	if looks <= 8 { // what is doubled eight times is more than a day
		rest = min(firstRest<<(looks-1), maxRest)
	}
	return entry{fate: torn, looks: looks, again: now.Add(rest)}
}

// resting tells whether a torn batch is not to be looked at yet. A time that lies beyond any rest was
// written by a wrong clock.
func (e entry) resting(now time.Time) bool {
	return e.fate == torn && now.Before(e.again) && e.again.Sub(now) <= maxRest
}

// A ledger is what was done with the batches of all peers: what is committed, and what this run adds. It may be
// used by several goroutines.
type ledger struct {
	set *segment.Set

	mu    sync.Mutex
	added segment.Entries
}

// openLedger reads the segments that the file list names.
func openLedger(list string, hash *keyed.Hash) (*ledger, error) {
	set, err := segment.OpenSet(list, hash)
	return &ledger{set: set}, err
}

func (l *ledger) key(node, name string) uint64 { return l.set.Hash().Sum([]byte(node + "/" + name)) }

// find tells what was committed about a batch. Its zero entry says that it was never met.
func (l *ledger) find(node, name string) (entry, error) {
	value, ok, err := l.set.Get(l.key(node, name))
	if err != nil || !ok {
		return entry{}, err
	}
	return decodeEntry(value)
}

// add makes an entry that counts when the run commits.
func (l *ledger) add(node, name string, e entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.added.Add(l.key(node, name), e.encode())
}

// close writes what was added to the segment at path, as Set.Append does, and ends the ledger.
func (l *ledger) close(env *stage.Env, path string) error {
	return errors.Join(l.set.Append(env.Files, path, l.added, env.Report), l.set.Close())
}
