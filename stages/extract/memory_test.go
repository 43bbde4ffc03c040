package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestMemory holds what -h says of memory, for pages made to take much of it.
func TestMemory(t *testing.T) {
	const size = 16 << 20
	peak := stagetest.Peak(t, func(dir string) {
		letters := strings.Repeat("\xb1", size-100) // which take three times as much in UTF-8
		path := batch(t,
			answer{"http://a.test/1", htmlHead, "<meta charset=shift_jis><script><!--<script>" + letters},
			answer{"http://a.test/2", htmlHead, "<meta charset=shift_jis>" + letters},
		)
		if err := os.Rename(path, filepath.Join(dir, "pages")); err != nil {
			t.Fatal(err)
		}
	}, func(dir string) {
		stagetest.MustRun(t, tool(), setup, "", "-links", filepath.Join(dir, "links"), filepath.Join(dir, "pages"))
	})
	if peak > 16*size {
		t.Errorf("%d bytes, which is more than 16 times the largest page", peak)
	}
}
