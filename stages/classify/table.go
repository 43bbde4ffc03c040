package main

import (
	"encoding/binary"

	"multitext/stages/internal/formats/samelinks"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/state/seen"
)

// A table remembers which pages were sent to which node. A key is the hash of the node's name, the
// digest of the body, and what determines the body's links: server, path and reading (package
// samelinks).
type table struct {
	*seen.Table
	text []byte // buffer for the text of a key
}

func openTable(list string, hash *keyed.Hash) (*table, error) {
	t, err := seen.Open(list, hash)
	if err != nil {
		return nil, err
	}
	return &table{Table: t}, nil
}

// repeats reports whether the answer's body was sent to the node before with the same links, and
// remembers that it is sent now. Incomplete pages and revisits are sent each time.
func (t *table) repeats(a *warc.Answer, to *nodes.Node) (bool, error) {
	sum, ok, err := a.WholeDigest()
	if err != nil || !ok {
		return false, err
	}
	read := samelinks.Of(a, a.Record())
	var server, path string
	if read != samelinks.None { // without a reading it has no links at any place
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
