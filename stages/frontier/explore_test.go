package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// TestExplore: with -explore 1 a batch goes by turns of the bands as soon as the share is known.
func TestExplore(t *testing.T) {
	var urls []string
	for i := range 40 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
	}
	c := newCrawl(t, append(urls, "http://a.test/deep\tdepth=50"),
		[]string{"http://a.test/\tasked=1\tanswered=1\tpause=1"},
		"-urls", "2", "-explore", "1")
	for share, want := range map[string]bool{"0": false, "1": true} {
		r := stagetest.MustRun(t, tool(), setup, "", "-waiting", c.list, "-out", "-", "-urls", "2", "-explore", share,
			stagetest.Write(t, "visits", "http://a.test/\tasked=1\tanswered=1\tpause=1"))
		lines := strings.Split(r.Stdout, "\n")
		if slices.Contains(lines, "http://a.test/deep\tdepth=50") != want {
			t.Errorf("-explore %s: %q", share, lines)
		}
	}
}

// TestBadShare: a share is from 0 to 1.
func TestBadShare(t *testing.T) {
	for _, share := range []string{"-0.1", "1.1", "NaN"} {
		if r := stagetest.Run(t, tool(), setup, "", "-out", "-", "-explore", share); r.Code != stage.ExitUsage {
			t.Errorf("-explore %s: exit %d", share, r.Code)
		}
	}
}
