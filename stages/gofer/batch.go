package main

import names "multitext/stages/internal/sharing/outgoing"

// A kind says what records a batch has.
type kind int

const (
	pages kind = iota
	urls
	kinds int = iota
)

func (k kind) String() string { return [...]string{"page batches", "URL batches"}[k] }

// A batch is a batch that a peer holds for this crawler.
type batch struct {
	name string
	kind kind
	sum  uint64 // XXH64 of its bytes, by its name
	size int64  // size in the peer's listing
}

// parseBatch parses the name of a batch. ok is false if the name is not that of a batch.
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
