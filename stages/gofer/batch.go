package main

import names "multitext/stages/internal/sharing/outgoing"

// A kind is what a batch holds.
type kind int

const (
	pages kind = iota
	urls
	kinds int = iota
)

func (k kind) String() string { return [...]string{"page batches", "URL batches"}[k] }

// A batch is one that a peer holds for us.
type batch struct {
	name string
	kind kind
	sum  uint64 // XXH64 of its bytes, if they are whole
	size int64  // as the peer has it
}

// parseBatch tells what the name of a batch says; ok is false for another's name.
func parseBatch(name string) (b batch, ok bool) {
	n, ok := names.ParseName(name)
	if !ok {
		return b, false
	}
	b = batch{name: name, kind: pages, sum: n.Sum}
	if n.Ext == names.URLs {
		b.kind = urls
	}
	return b, true
}
