package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"multitext/stages/internal/stagetest"
)

// TestMemory holds what -h says of memory, for pages made to take much of it, in a process of its own.
func TestMemory(t *testing.T) {
	const pages, size = "PAGES_OF_TEST_MEMORY", 16 << 20
	if path := os.Getenv(pages); path != "" {
		stagetest.MustRun(t, tool(), setup, "", "-links", filepath.Join(t.TempDir(), "links"), path)
		status, _ := os.ReadFile("/proc/self/status")
		fmt.Printf("%s", status)
		return
	}
	letters := strings.Repeat("\xb1", size-100) // which take three times as much in UTF-8
	path := batch(t,
		answer{"http://a.test/1", htmlHead, "<meta charset=shift_jis><script><!--<script>" + letters},
		answer{"http://a.test/2", htmlHead, "<meta charset=shift_jis>" + letters},
	)
	run := exec.Command(os.Args[0], "-test.run=^TestMemory$")
	run.Env = append(os.Environ(), pages+"="+path, "GOGC=200") // as a stage has it
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	peak := regexp.MustCompile(`VmHWM:\s*([0-9]+) kB`).FindSubmatch(out)
	if peak == nil {
		t.Skip("this system does not tell how much memory a process had")
	}
	kb, _ := strconv.Atoi(string(peak[1]))
	t.Logf("peak %d kB", kb)
	if kb<<10 > 16*size {
		t.Errorf("%d kB, which is more than 16 times the largest page", kb)
	}
}

func TestLimitMemory(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	before := limit()
	for maxPage, want := range map[int64]int64{1: leastMemory, 16 << 20: 192 << 20, 1 << 62: 12 << 50} {
		undo := limitMemory(maxPage)
		if got := limit(); os.Getenv("GOMEMLIMIT") == "" && (got > want || got < want-12) {
			t.Errorf("-max-page %d: limit %d, want %d", maxPage, got, want)
		}
		if undo(); limit() != before {
			t.Errorf("the limit is %d afterwards, was %d", limit(), before)
		}
	}
}
