package exchange

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestFoldedLines holds that a field of very many lines costs no more than its length.
func TestFoldedLines(t *testing.T) {
	raw := "HTTP/1.1 200 OK\r\nA: b\r\n" + strings.Repeat(" c c c c c c c c c c c c c c c c c c c c c\n", 900) + "D: e\r\nA: f\r\n\r\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h, err := parseHead([]byte(raw))
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	a := slices.Collect(h.header.Values("A"))
	if len(a) != 2 || a[0] != "b"+strings.Repeat(" c c c c c c c c c c c c c c c c c c c c c", 900) || a[1] != "f" || h.header.Get("D") != "e" {
		t.Errorf("%d fields, the first of %d bytes", len(a), len(a[0]))
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("%d bytes of memory for a head of %d", n, len(raw))
	}
}
