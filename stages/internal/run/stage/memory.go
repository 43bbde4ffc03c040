package stage

import (
	"os"
	"runtime/debug"
)

// LimitMemory makes the collector work harder when the process has some limit bytes of memory, and
// returns what undoes that. A stage whose records may be large knows what the largest take; without
// a limit the collector lets the garbage of one large record lie beside the next. GOMEMLIMIT in the
// environment goes first.
func LimitMemory(limit int64) (undo func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(before) }
}
