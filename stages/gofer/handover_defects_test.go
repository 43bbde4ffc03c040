package main

import (
	"strings"
	"testing"
)

// Each defect is seen by the chains of interrupted hand-overs, or they would prove nothing.
func TestHandoversSeeDefects(t *testing.T) {
	for _, defect := range []string{"removed-early", "ledger-ignored", "ledger-outside", "hash-ignored"} {
		t.Run(defect, func(t *testing.T) { seeDefect(t, newLine(t, folders(), defect).by(goferKilled)) })
	}
}

// seeDefect makes chains until one is red.
func seeDefect(t *testing.T, make chainMaker) {
	t.Helper()
	const chains = 60
	for seed := range uint64(chains) {
		if _, err := make(t, seed); err != nil {
			t.Logf("red at chain %d: %v", seed, strings.SplitN(err.Error(), "\n", 2)[0])
			return
		}
	}
	t.Errorf("%d chains did not see it", chains)
}
