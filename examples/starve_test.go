package examples

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
)

// TestStarve is a short sample of what starve measures: no host takes more of the others' pages
// than the little that so short a crawl shows, at the beginning of which one slow run weighs much.
// The rows wait for their hosts most of the time, so they are made at once.
func TestStarve(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(programs(t), "starve")
	others := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, row := range []string{"alone", "large", "two-drip", "names"} {
		dir := t.TempDir()
		all.Go(func() {
			said, err := exec.Command(bin, "-for", "25s", "-rows", row, "-dir", dir).CombinedOutput()
			line := regexp.MustCompile(`(?m)^` + row + ` +(\d+) `).FindSubmatch(said)
			if err != nil || line == nil {
				t.Errorf("%v\n%s", err, said)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			others[row], _ = strconv.Atoi(string(line[1]))
		})
	}
	all.Wait()
	t.Logf("URLs of the others: %v", others)
	if len(others) != 4 {
		t.Errorf("%d rows, want 4", len(others))
	}
	for row, n := range others {
		if share := 100 * n / max(others["alone"], 1); share < 60 {
			t.Errorf("beside %s the others have %d %% of their pages, want 60", row, share)
		}
	}
}
