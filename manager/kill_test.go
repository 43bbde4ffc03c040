package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
)

var chains = flag.Int("chains", 40, "chains of kills that TestKilledAtAnyInstant runs over all stories")

// kills draws the instants of a chain of six. An undisturbed run makes some 400 to 600
// changes; a chain's later links are shorter, because less is left to do, and the
// last are within the recovery.
func kills(seed uint64) []int {
	rnd := rand.New(rand.NewPCG(seed, 0))
	return []int{1 + rnd.IntN(500), 1 + rnd.IntN(300), 1 + rnd.IntN(150), 1 + rnd.IntN(100), 1 + rnd.IntN(40),
		1 + rnd.IntN(40)}
}

// A crawl that is killed before any change of the file system, again and again,
// its recovery included, ends with the same result.
func TestKilledAtAnyInstant(t *testing.T) {
	rigs := newStoryRigs(t)
	var fired atomic.Int64
	err := atOnce(*chains, width, func(i int) error {
		n, err := rigs[i%len(rigs)].chain(t, kills(uint64(i)))
		fired.Add(int64(n))
		if err != nil {
			return fmt.Errorf("chain %d: %w", i, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kills fired in %d chains", fired.Load(), *chains)
	if fired.Load() < int64(3**chains) {
		t.Errorf("only %d kills fired in %d chains; the instants lie beyond the run", fired.Load(), *chains)
	}
}

// The very first start is killed before each of its first changes: the crawl is
// born whole or not at all.
func TestKilledAtBirth(t *testing.T) {
	fired, err := newRig(t).killAtBirth(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kills fired", fired)
	if fired < 75 {
		t.Errorf("%d of 80 kills fired", fired)
	}
}

func (r *rig) killAtBirth(t *testing.T) (fired int, err error) {
	for at := 1; at <= 40; at++ {
		n, err := r.chain(t, []int{at, 1 + at/2})
		if err != nil {
			return fired, fmt.Errorf("killed at change %d: %w", at, err)
		}
		fired += n
	}
	return fired, nil
}

// A secret that is made only when the log is there may be missing for ever.
func TestKillsSeeLateSecret(t *testing.T) {
	r := newRig(t, "late-secret")
	if _, err := r.chain(t, nil); err != nil {
		t.Fatalf("red without a kill: %v", err)
	}
	if _, err := r.killAtBirth(t); err == nil {
		t.Error("no kill at its birth has shown it")
	} else {
		t.Log(strings.SplitN(err.Error(), "\n", 2)[0])
	}
}

// The chains detect each defect, or they would prove nothing.
func TestKillsSeeDefects(t *testing.T) {
	for _, defect := range []string{"inputs-removed-early", "renames-not-redone", "removals-not-redone"} {
		t.Run(defect, func(t *testing.T) {
			r := newRig(t, defect)
			if _, err := r.chain(t, nil); err != nil {
				t.Fatalf("red without a kill: %v", err)
			}
			for seed := range uint64(200) {
				if _, err := r.chain(t, kills(seed)); err != nil {
					t.Logf("red at chain %d: %v", seed, strings.SplitN(err.Error(), "\n", 2)[0])
					return
				}
			}
			t.Error("200 chains of kills did not see it")
		})
	}
}

// A drop that removes the batch before it is committed shows at one instant only, which chains
// would hit by chance. So each change of the beginning is killed, where the drop is carried out.
// The same holds for an add whose first part is forgotten by the start after it, which is killed as
// well.
func TestKillsSeeHastyDrop(t *testing.T) {
	earlyKillsSee(t, newStoryRig(t, story{name: "drop", prepare: leaveDrop}, "dropped-removed-early"))
	inbox := story{script: "inbox", failpoints: smallParts(), prepare: leaveRequests, also: addedOnce}
	earlyKillsSee(t, newStoryRig(t, inbox, "parts-forgotten"), 12)
}

func earlyKillsSee(t *testing.T, r *rig, then ...int) {
	t.Helper()
	if _, err := r.chain(t, nil); err != nil {
		t.Fatalf("red without a kill: %v", err)
	}
	for from := 1; from <= 240; from += 2 * width {
		err := atOnce(2*width, width, func(i int) error {
			_, err := r.chain(t, append([]int{from + i}, then...))
			return err
		})
		if err != nil {
			t.Logf("red among changes %d to %d: %v", from, from+2*width-1, strings.SplitN(err.Error(), "\n", 2)[0])
			return
		}
	}
	t.Error("240 kills did not see it")
}
