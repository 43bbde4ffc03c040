package main

import (
	"encoding/binary"

	"multitext/stages/internal/formats/samelinks"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/state/seen"
)

// A table remembers which pages were sent to whom. Its keys are hashes of the node's name, the
// digest of the body, and the server, the path and the reading by which the body's links are found
// (package samelinks).
type table struct {
	*seen.Table
	text []byte // of a key
}

func openTable(list string, hash *keyed.Hash) (*table, error) {
	t, err := seen.Open(list, hash)
	if err != nil {
		return nil, err
	}
	return &table{Table: t}, nil
}

// repeats tells whether the node was sent the answer's body with the same links before, and
// remembers that it is now. What is no page's whole content, and revisits, are sent each time.
func (t *table) repeats(a *warc.Answer, to *nodes.Node) (bool, error) {
	sum, ok, err := a.WholeDigest()
	if err != nil || !ok {
		return false, err
	}
	read := samelinks.Of(a, a.Record())
	var server, path string
	if read != samelinks.None { // else it has no links, wherever it is
		if server, path, ok = samelinks.Split(a.URL()); !ok {
			return false, nil
		}
	}
	t.text = append(append(append(t.text[:0], to.Name...), ' '), sum[:]...)
	t.text = binary.LittleEndian.AppendUint32(t.text, read)
	t.text = append(append(t.text, server...), path...)
	verdicts, err := t.Judge([]uint64{t.Hash().Sum(t.text)})
	return err == nil && verdicts[0] != seen.New, err
}
