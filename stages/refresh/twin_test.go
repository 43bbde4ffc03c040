package main

import (
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestTwin has a page whose URL has the XXH64 of a page that is known, which it then takes the
// place of.
func TestTwin(t *testing.T) {
	const host, victim = "http://a.test", "/victim"
	twin := strings.TrimPrefix(stagetest.Twin(t, host+"/evil/", host+victim), host)
	meet := func() int {
		c := newCrawl(t)
		c.learn(visit{path: victim, head: ok(), body: "1"})
		c.learn(visit{path: twin, head: ok(), body: "2"})
		return len(c.known())
	}
	if n := meet(); n != 1 {
		t.Errorf("without a secret it is no twin: %d pages are known", n)
	}
	stagetest.Secret(t)
	if n := meet(); n != 2 {
		t.Errorf("%d pages are known of 2", n)
	}
}
