package main

import (
	"os"
	"strings"
	"testing"

	"multitext/manager/internal/crawl"
)

// Who runs a crawl as root is warned, and nobody else.
func TestRootIsWarned(t *testing.T) {
	c := newCrawl(t, oneStage+"run = \"cp {in} {b}\"\n", "s1", "1\n", "s2", "2\n", "s3", "3\n")
	said := c.run(crawl.ExitDone)
	if warned := strings.Contains(said, "warning: this is root"); warned != (os.Geteuid() == 0) {
		t.Errorf("user %d was told\n%s", os.Geteuid(), said)
	}
}
