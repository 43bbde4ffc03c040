package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
)

// When an idle window begins, what runs finishes and is committed, and nothing starts.
func TestIdleWindowBegins(t *testing.T) {
	long(t)
	for _, left := range []time.Duration{3 * time.Second, 10 * time.Second, 30 * time.Second} {
		if idleBegins(t, left) {
			return
		}
	}
	t.Error("the machine is too slow: no stage began within half a minute")
}

// idleBegins runs a crawl whose idle window begins when so much time has passed. It returns false
// if no stage had begun by then.
func idleBegins(t *testing.T, left time.Duration) bool {
	now := time.Now()
	zone, begin := zoneAtMinute(t, now.Add(left))
	window := fmt.Sprintf("%s-%s", begin.Format("15:04"), begin.Add(2*time.Hour).Format("15:04"))
	c := newCrawl(t, oneStage+`
shell = "touch begun-$(cat {in}); until [ -e go ]; do sleep 0.02; done; cp {in} {b}"
[limit]
idle = ["`+window+`"]
`, "s1", "1\n", "s2", "2\n", "s3", "3\n")
	cmd, said := c.start("TZ=" + zone)
	for !c.exists("begun-1") && time.Now().Before(begin) {
		time.Sleep(5 * time.Millisecond)
	}
	inTime := c.exists("begun-1")
	time.Sleep(time.Until(begin.Add(100 * time.Millisecond)))
	c.write("go", "")
	for deadline := time.Now().Add(time.Minute); inTime && c.content("b") == "" && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond) // for a start that must not be
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if !inTime {
		return false
	}
	c.holds("b", "1\n")
	if c.exists("begun-2") {
		t.Errorf("a stage began in the window %s", window)
	}
	if code := cmd.ProcessState.ExitCode(); code != crawl.ExitStopped {
		t.Errorf("exit code %d, want %d\n%s", code, crawl.ExitStopped, said)
	}
	return true
}

func (c *crawlFolder) exists(name string) bool {
	_, err := os.Stat(c.path(name))
	return err == nil
}

// zoneAtMinute makes a time zone in which a minute begins at the given instant, and returns its
// file, and that instant by its clock.
func zoneAtMinute(t *testing.T, begin time.Time) (file string, local time.Time) {
	t.Helper()
	offset := (60 - begin.UTC().Second()) % 60
	b := append([]byte("TZif"), make([]byte, 16)...) // RFC 9636, version 1: one type of local time, no changes
	for _, count := range []uint32{0, 0, 0, 0, 1, 4} {
		b = binary.BigEndian.AppendUint32(b, count)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(offset))
	b = append(b, 0, 0, 'T', 'S', 'T', 0)
	file = filepath.Join(t.TempDir(), "zone")
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return file, begin.Truncate(time.Second).In(time.FixedZone("TST", offset))
}
