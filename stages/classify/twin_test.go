package main

import (
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestTwin has a stranger's link go to the owner of a victim's, whose XXH64 together with the
// owner's name is the same.
func TestTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	const victim = "http://b.example/victim"
	twin := stagetest.Twin(t, "business http://b.example/evil/", "business "+victim)[len("business "):]
	meet := func() int {
		c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy"}
		c.run(t, true, twin)
		_, _, theirs := c.run(t, true, victim)
		return len(theirs["business"])
	}
	if n := meet(); n != 0 {
		t.Errorf("without a secret it is no twin: %d links were sent", n)
	}
	stagetest.Secret(t)
	if n := meet(); n != 1 {
		t.Errorf("%d links were sent of 1", n)
	}
}
