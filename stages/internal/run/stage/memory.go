package stage

import (
	"os"
	"runtime/debug"
)

// LimitMemory makes the garbage collector work harder when the process uses about limit bytes of
// memory. It returns a function that removes the limit. Stages with large records call it, because
// otherwise the garbage of one large record stays in memory together with the next record.
// GOMEMLIMIT in the environment takes precedence.
func LimitMemory(limit int64) (undo func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(before) }
}
