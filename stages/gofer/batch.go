package main

import (
	"regexp"
	"strconv"
)

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

// batchName is the form that output.Run.Hashed gives.
var batchName = regexp.MustCompile(`^([0-9a-f]{16})-[0-9]{12}-[0-9]{5}\.(warc\.gz|zst)$`)

// parseBatch tells what the name of a batch says; ok is false for another's name.
func parseBatch(name string) (b batch, ok bool) {
	m := batchName.FindStringSubmatch(name)
	if m == nil {
		return b, false
	}
	sum, err := strconv.ParseUint(m[1], 16, 64)
	b = batch{name: name, kind: pages, sum: sum}
	if m[2] == "zst" {
		b.kind = urls
	}
	return b, err == nil
}
