package main

import (
	"os"
	"runtime/debug"
)

// leastMemory is the least limit, in bytes: with less the collector would hardly rest.
const leastMemory = 128 << 20

// limitMemory makes the collector work harder near twelve times the largest page, which is where pages made to take
// much lead: what the one has left behind would else be there still when the next is decoded. It gives what undoes it.
// GOMEMLIMIT in the environment goes first.
func limitMemory(maxPage int64) (undo func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(12 * min(max(maxPage, leastMemory/12), 1<<50))
	return func() { debug.SetMemoryLimit(before) }
}
