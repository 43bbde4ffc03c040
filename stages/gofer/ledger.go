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

// A fate says what an earlier run did with a batch.
//
// The hash of a torn batch is not the one in its name. It may be whole later, if something other
// than a sender copies files. So it stays there, and gofer looks at it again after ten minutes,
// then after twice as long each time, up to a day. The hash of an unfit batch is right, but its
// records cannot be read, or unfold beyond all bounds, or its warcinfo record has more than 64 KiB
// (each part begins with it). It never gets better, and is not fetched again. gofer counts both and
// notes them. They stay where they are for somebody to look at, and hold nothing up. Once a torn
// file is put right, nothing else need be done; to have one off the list, remove it there.
type fate byte

const (
	unmet fate = iota // and so in no ledger
	taken
	unfit
	torn
)

// An entry is what the ledger says of one batch.
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

// resting tells whether a torn batch is not to be looked at yet. A time that lies beyond any rest
// was written by a wrong clock.
func (e entry) resting(now time.Time) bool {
	return e.fate == torn && now.Before(e.again) && e.again.Sub(now) <= maxRest
}

// A ledger says what was done with the batches of all peers: what is committed, and what this run
// adds. Several goroutines may use it.
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
	//failpoint:ledger-ignored return entry{}, nil
	//failpoint:ledger-outside ok = false; if failpoint.Kept(node + name) { return entry{fate: taken}, nil }
	if err != nil || !ok {
		return entry{}, err
	}
	return decodeEntry(value)
}

// add makes an entry that counts when the run commits.
func (l *ledger) add(node, name string, e entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	//failpoint:ledger-outside if e.fate == taken { failpoint.Keep(node + name) }
	l.added.Add(l.key(node, name), e.encode())
}

// close writes what was added to the segment at path, as Set.Append does, and ends the ledger.
func (l *ledger) close(env *stage.Env, path string) error {
	return errors.Join(l.set.Append(env.Files, path, l.added, env.Report), l.set.Close())
}
