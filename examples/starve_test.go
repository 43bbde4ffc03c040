package examples

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestStarve is a short sample of what starve measures: no host takes more of the others' pages
// than the little that so short a crawl shows, at the beginning of which one slow run weighs much.
func TestStarve(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some three minutes")
	}
	t.Parallel()
	cmd := exec.Command(filepath.Join(programs(t), "starve"), "-for", "25s", "-rows", "alone,large,two-drip,names", "-dir", t.TempDir())
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	t.Logf("%s", said)
	rows := regexp.MustCompile(`(?m)^([a-z-]+) +(\d+) +([\d.]+) % `).FindAllStringSubmatch(string(said), -1)
	if len(rows) != 4 {
		t.Fatalf("it prints %d rows, want 4", len(rows))
	}
	for _, row := range rows {
		if share, err := strconv.ParseFloat(row[3], 64); err != nil || share < 60 {
			t.Errorf("beside %s the others have %s %% of their pages, want 60", row[1], row[3])
		}
	}
}
