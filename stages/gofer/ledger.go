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

// A fate says what earlier runs did with a batch.
//
// The bytes of a torn batch do not have the hash in its name. The batch may become complete later,
// if something other than a sender copies files. So it stays there. gofer looks at it again after
// ten minutes, then after twice as long each time, up to a day.
//
// An unfit batch has the right hash. But its records cannot be parsed, or it exceeds a limit when
// decompressed, or its warcinfo record has more than 64 KiB (it is repeated at the start of each
// part). It cannot become better, so it is not fetched again.
//
// gofer counts and notes torn and unfit batches. They stay where they are for a person to examine,
// and do not delay other batches. A torn file that is repaired needs nothing else. To take a batch
// off the list, remove it there.
type fate byte

const (
	unmet fate = iota // never seen, so not in the ledger
	taken
	unfit
	torn
)

// An entry is what the ledger stores about one batch.
type entry struct {
	fate  fate
	looks int       // torn: how often it was checked
	again time.Time // torn: do not check again before this time
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

// tornAgain returns the new entry for a batch that was found torn; e is its previous entry.
func (e entry) tornAgain(now time.Time) entry {
	looks := min(e.looks+1, 255)
	rest := maxRest
	if looks <= 8 { // doubled eight times, the wait is more than a day
		rest = min(firstRest<<(looks-1), maxRest)
	}
	return entry{fate: torn, looks: looks, again: now.Add(rest)}
}

// resting reports whether a torn batch must not be checked yet. A time too far in the future was
// written with a wrong clock and does not count.
func (e entry) resting(now time.Time) bool {
	return e.fate == torn && now.Before(e.again) && e.again.Sub(now) <= maxRest
}

// A ledger stores what was done with the batches of all peers: the committed entries and the
// entries of this run. It is safe for concurrent use.
type ledger struct {
	set *segment.Set

	mu    sync.Mutex
	added segment.Entries
}

// openLedger opens the segments listed in the file list.
func openLedger(list string, hash *keyed.Hash) (*ledger, error) {
	set, err := segment.OpenSet(list, hash)
	return &ledger{set: set}, err
}

func (l *ledger) key(node, name string) uint64 { return l.set.Hash().Sum([]byte(node + "/" + name)) }

// find returns the committed entry of a batch. The zero entry means that the batch was never seen.
func (l *ledger) find(node, name string) (entry, error) {
	value, ok, err := l.set.Get(l.key(node, name))
	//failpoint:ledger-ignored return entry{}, nil
	//failpoint:ledger-outside ok = false; if failpoint.Kept(node + name) { return entry{fate: taken}, nil }
	if err != nil || !ok {
		return entry{}, err
	}
	return decodeEntry(value)
}

// add adds an entry, which becomes valid when the run commits.
func (l *ledger) add(node, name string, e entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	//failpoint:ledger-outside if e.fate == taken { failpoint.Keep(node + name) }
	l.added.Add(l.key(node, name), e.encode())
}

// close writes the added entries to the segment at path, like Set.Append, and closes the ledger.
func (l *ledger) close(env *stage.Env, path string) error {
	return errors.Join(l.set.Append(env.Files, path, l.added, env.Report), l.set.Close())
}
