package examples

import (
	"os/exec"
	"regexp"
	"testing"
)

// TestScored: a stage in Python gives URLs a score, and the crawl fetches the best first. The five of
// twenty hosts that it wants have most of the pages where the crawl stops.
func TestScored(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3, in which the stage is written, is not installed")
	}
	t.Parallel()
	b := newBench(t, programs(t), "scored", "crawl.toml", `"127.0.0.1:8490"`, `"WEB"`, "pages = 600", "pages = 400")
	b.run(7)
	b.verified()
	scored, wanted := regexp.MustCompile(` score=0\.[19]\b`), regexp.MustCompile(`^http://h01[5-9]\.test`)
	found, all := 0, 0
	for url, marks := range readArchive(t, b.crawlPath("pages")).marks {
		if !scored.MatchString(" "+marks) && url != "http://h000.test/" {
			t.Errorf("%s has the attributes %q, and no score", url, marks)
		}
		if all++; wanted.MatchString(url) {
			found++
		}
	}
	if all < 400 || 100*found < 40*all {
		t.Errorf("%d of %d pages are on the wanted hosts, want 40 %%; a quarter of the hosts is wanted", found, all)
	}
	t.Logf("%d of %d pages are on the wanted hosts", found, all)
}
