package main

import (
	"math"
	"testing"
)

// TestMaxIdle holds that connections which are kept leave files for all that may be under way.
func TestMaxIdle(t *testing.T) {
	for _, tt := range []struct {
		connections int
		files       uint64
		want        int // -1: an error
	}{
		{64, 1024, 256}, {64, math.MaxUint64, 256}, {1, otherFiles + 6, 4}, {1, otherFiles + 4, 2},
		{1, otherFiles + 2, 0}, {1, otherFiles + 1, -1}, {1, 1, -1}, {400, 1024, 124}, {math.MaxInt, 1024, -1},
	} {
		got, err := maxIdle(tt.connections, tt.files)
		if err != nil {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%d connections, %d files: %d are kept (%v), want %d", tt.connections, tt.files, got, err, tt.want)
		}
	}
	if files, err := mayOpen(); err != nil || files == 0 {
		t.Errorf("%d files may be open, %v", files, err)
	}
}
