package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestMemory holds what -h says of memory: as many answers as there are connections, each as long
// as it may be and incompressible, with a head of the largest size.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	const answers, maxBody, maxHeader, program = 24, 10_000_000, 64_000, 48 << 20
	told := answers*(700_000+maxHeader) + runtime.GOMAXPROCS(0)*3*maxBody
	stagetest.Peak(t, int64(told+program), func(dir string) {
		noise := make([]byte, maxBody)
		rand.NewChaCha8([32]byte{}).Read(noise)
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X", strings.Repeat("x", maxHeader-1000))
			w.Write(noise)
		})
		var lines strings.Builder
		for i := range answers {
			lines.WriteString(s.line(fmt.Sprintf("h%d.test", i), "/"))
		}
		if err := os.WriteFile(filepath.Join(dir, "lines"), []byte(lines.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}, func(dir string) {
		lines, err := os.ReadFile(filepath.Join(dir, "lines"))
		if err != nil {
			t.Fatal(err)
		}
		if code, stderr := fetchInto(t.Context(), dir, string(lines), "-connections", fmt.Sprint(answers)); code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
	})
}
