package stage

import (
	"os"
	"runtime/debug"
)

// LimitMemory makes the collector work harder when the process has about limit bytes of memory, and
// returns a function that undoes it. A stage whose records may be large knows how much the largest
// takes; without a limit the garbage of one large record stays beside the next. GOMEMLIMIT in the
// environment takes precedence.
func LimitMemory(limit int64) (undo func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(before) }
}
