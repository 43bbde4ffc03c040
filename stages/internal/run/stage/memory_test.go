package stage

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestLimitMemory(t *testing.T) {
	if os.Getenv("GOMEMLIMIT") != "" {
		t.Skip("GOMEMLIMIT goes first")
	}
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	before := limit()
	undo := LimitMemory(1 << 30)
	if got := limit(); got != 1<<30 {
		t.Errorf("the limit is %d, want %d", got, 1<<30)
	}
	if undo(); limit() != before {
		t.Errorf("the limit is %d afterwards, was %d", limit(), before)
	}
}
