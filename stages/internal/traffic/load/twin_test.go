package load

import (
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/testkit/stagetest"
)

// TestTwin has a stranger's host hold itself up for an hour, whose XXH64 is that of a victim's.
func TestTwin(t *testing.T) {
	const victim = "victim.test"
	twin := strings.TrimPrefix(stagetest.Twin(t, "load evil.test.", "load "+victim), "load ")
	for hash, hidden := range map[*keyed.Hash]bool{nil: true, stagetest.Secret(t): false} {
		s := store{}
		s.run(t, hash, noon(), 0.002, []string{twin}, func(l *Ledger) { l.Hold(twin, noon().Add(time.Hour)) })
		s.run(t, hash, noon(), 0.002, []string{victim}, func(l *Ledger) {
			if held := l.Held(victim); held.IsZero() == hidden {
				t.Errorf("with a secret %v: the victim is held until %v", hash != nil, held)
			}
		})
	}
}
