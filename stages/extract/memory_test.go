package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestMemory holds what -h says of memory, for pages made to take much of it: for large pages, and for
// small ones, of which many follow one another.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Run("large", func(t *testing.T) { peakWithin(t, 16<<20, 2) })
	t.Run("many", func(t *testing.T) { peakWithin(t, 2<<20, 100) })
}

func peakWithin(t *testing.T, size, pages int) {
	t.Helper()
	stagetest.Peak(t, int64(16*size+48<<20), func(dir string) {
		letters := strings.Repeat("\xb1", size-100) // which take three times as much in UTF-8
		var answers []answer
		for i := range pages {
			answers = append(answers, answer{fmt.Sprintf("http://a.test/%d", i), htmlHead,
				"<meta charset=shift_jis>" + []string{"<script><!--<script>", ""}[i%2] + letters})
		}
		if err := os.Rename(batch(t, answers...), filepath.Join(dir, "pages")); err != nil {
			t.Fatal(err)
		}
	}, func(dir string) {
		stagetest.MustRun(t, tool(), setup, "", "-max-page", fmt.Sprintf("%dB", size), "-links",
			filepath.Join(dir, "links"), filepath.Join(dir, "pages"))
	})
}
