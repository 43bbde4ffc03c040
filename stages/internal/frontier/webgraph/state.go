package webgraph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"multitext/stages/internal/frontier/centrality"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/ordered"
	"multitext/stages/internal/state/segment"
)

// A State is the graph. It is not safe for concurrent use.
type State struct {
	set   *ordered.Set
	fresh *ordered.Entries // that are not in the set
	spill string           // folder for what does not fit into memory; "": that of the system
	whole whole
	most  int // entries of a column that are in memory
}

// mostValues is that number, for entries of 16 KiB each.
const mostValues = 512

// What an entry is of: the high halves of keys.
const (
	ofWhole = iota
	ofNumber
	ofURLs
	ofLinks
	ofRanks
	ofWorth
	ofHubs
	ofAuthorities
	ofAsked
)

func keyOf(kind uint64, of uint64) ordered.Key { return ordered.Key{Hi: kind, Lo: of} }

// A whole is what is known of all pages together.
type whole struct {
	pages  uint64
	links  uint64
	ranked uint64 // links when the pages were ranked, or distilled, last
}

const version = 1

// mostPages is how many have a number.
const mostPages = math.MaxUint32

func (w *whole) pack() []byte {
	b := []byte{version}
	for _, n := range []uint64{w.pages, w.links, w.ranked} {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

func (w *whole) unpack(value []byte) error {
	f := segment.FieldsOf(value)
	f.Version(version)
	w.pages, w.links, w.ranked = f.Number(mostPages), f.Number(math.MaxInt64), f.Number(math.MaxInt64)
	return f.End()
}

// Open opens the state whose segments the file list names, as ordered.OpenSet has it. What does not
// fit into memory goes to files in the folder spill.
func Open(list string, hash *keyed.Hash, spill string) (*State, error) {
	set, err := ordered.OpenSet(list, hash)
	if err != nil {
		return nil, err
	}
	s := &State{set: set, fresh: &ordered.Entries{}, spill: spill, most: mostValues}
	value, ok, err := set.Get(keyOf(ofWhole, 0))
	if err == nil && ok {
		err = s.whole.unpack(value)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("graph of pages: %w", err), set.Close())
	}
	return s, nil
}

// Close releases the state.
func (s *State) Close() error { return s.set.Close() }

// Pages is how many are known.
func (s *State) Pages() uint64 { return s.whole.pages }

// Links is how many are known.
func (s *State) Links() uint64 { return s.whole.links }

// Due tells whether the links have grown by a tenth since the pages were ranked, or distilled.
func (s *State) Due() bool { return centrality.Due(s.whole.links, s.whole.ranked) }

// settle makes what is in memory a part of the set, so that it is found.
func (s *State) settle() error {
	if err := s.set.Spill(s.spill, s.fresh); err != nil {
		return err
	}
	s.fresh = &ordered.Entries{}
	return nil
}

// Save writes what this run has changed as a new segment at path, with those that it is merged
// with; with an empty path nothing is remembered.
func (s *State) Save(files *output.Run, path string, rep *report.Report) error {
	s.fresh.Add(keyOf(ofWhole, 0), s.whole.pack())
	//failpoint:graph-forgotten path = ""
	return s.set.Append(files, path, s.fresh, nil, rep)
}
