package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"multitext/txlog/crash"
)

var killed = flag.Int("killed", 12,
	"crawls that TestKilledAtRandom kills three times each, by turns a stage, the manager, the whole tree")

// slow is the plain story with stages that are children of a shell, so that they
// outlive a manager that is killed, and are tried again, soon and as often as
// they are killed. How the shell starts them may be given, with words before the command.
func slow(how string) story {
	return story{name: "slow", failpoints: []string{"short-rests"}, prepare: func(_ *rig, folder string) error {
		path := filepath.Join(folder, "crawl.toml")
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = regexp.MustCompile(`(?s)"""(.*?)"""`).ReplaceAllFunc(text, func(lines []byte) []byte {
			return fmt.Appendf(nil, "\"%s\"", bytes.Join(bytes.Fields(bytes.Trim(lines, `"`)), []byte(" ")))
		})
		text = regexp.MustCompile(`(?m)^run += "(.*)"$`).ReplaceAll(text,
			[]byte("shell = \""+how+"$1 & wait $$!\"\nwait = \"10ms\"\nretry = 100"))
		return os.WriteFile(path, text, 0o666)
	}}
}

// A victim is what is killed.
type victim int

const (
	aStage victim = iota
	theManager
	theTree
	victims
)

// A toll is what random kills hit.
type toll struct{ stages, managers, trees, orphans atomic.Int64 }

// strike lets a crawl run, with stages that take a while over each output, and
// kills the victim after a random time. It returns the orphans that live on.
func (r *rig) strike(folder string, v victim, rnd *rand.Rand, n *toll) (orphans []int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	pause := 60 * time.Millisecond << rnd.IntN(5) // to a second
	cmd, stderr, err := r.command(ctx, folder, "run", "TOY_SLOW="+pause.String())
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for crash.Alive(cmd.Process.Pid) && len(crash.Descendants(cmd.Process.Pid)) == 0 {
		time.Sleep(10 * time.Millisecond) // however slow the machine, a stage is to be met
	}
	time.Sleep(time.Duration(rnd.IntN(400)) * time.Millisecond)
	if v == aStage {
		n.stages.Add(killStages(cmd.Process.Pid, pause, rnd))
	}
	below := crash.Descendants(cmd.Process.Pid)
	if cmd.Process.Kill() == nil && v == theManager && len(below) > 0 {
		n.managers.Add(1)
	}
	if v == theTree {
		n.trees.Add(1)
		for _, pid := range below {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	cmd.Wait()
	for _, pid := range below {
		if crash.Alive(pid) {
			orphans = append(orphans, pid)
		}
	}
	n.orphans.Add(int64(len(orphans)))
	return orphans, nil
}

// killStages kills stages of a manager at work, one after the other, and returns
// how many it met.
func killStages(manager int, pause time.Duration, rnd *rand.Rand) (hits int64) {
	for range 8 {
		below := crash.Descendants(manager)
		if len(below) > 0 && syscall.Kill(below[rnd.IntN(len(below))], syscall.SIGKILL) == nil {
			hits++
		}
		time.Sleep(time.Duration(rnd.Int64N(int64(pause))))
	}
	return hits
}

// struck strikes a crawl three times, lets it end, and checks what it left once
// no orphan can do anything any more.
func (r *rig) struck(seed uint64, v victim, n *toll) error {
	folder, err := r.makeFolder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	rnd := rand.New(rand.NewPCG(seed, 2))
	var orphans []int
	for range 3 {
		left, err := r.strike(folder, v, rnd, n)
		if err != nil {
			return err
		}
		orphans = append(orphans, left...)
	}
	if _, _, err := r.run(folder, 0); err != nil {
		return err
	}
	for _, pid := range orphans {
		for deadline := time.Now().Add(2 * time.Second); crash.Alive(pid) && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
	}
	return r.inspect(folder)
}

// Stages are killed at random instants, so is the manager, whose stages live on
// for a while and write, and so are all of them together.
func TestKilledAtRandom(t *testing.T) {
	r := newStoryRig(t, slow(""))
	var n toll
	err := atOnce(*killed, 2*width, func(i int) error {
		if err := r.struck(uint64(i), victim(i)%victims, &n); err != nil {
			return fmt.Errorf("crawl %d: %w", i, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("killed: %d stages, %d managers, %d whole trees; %d orphans lived on", n.stages.Load(), n.managers.Load(),
		n.trees.Load(), n.orphans.Load())
	for what, hits := range map[string]int64{"stages": n.stages.Load(), "managers": n.managers.Load(),
		"trees": n.trees.Load(), "orphans": n.orphans.Load()} {
		if hits < int64(*killed)/4 {
			t.Errorf("only %d %s were hit in %d crawls", hits, what, *killed)
		}
	}
}

// The test detects what a dead manager's stages still write if they are not ended: those that
// dropped the mark and hold the lock, and those that closed the lock.
func TestOrphansSeeDefects(t *testing.T) {
	const bare, closed = "env -u MT_REPORT ", "3>&- "
	for defect, how := range map[string]string{
		"lock-not-handed-down": bare,
		"holders-not-killed":   bare,
		"marked-not-killed":    closed,
	} {
		t.Run(defect, func(t *testing.T) {
			r := newStoryRig(t, slow(how), defect)
			var n toll
			for seed := range uint64(60) {
				if err := r.struck(seed, theManager, &n); err != nil {
					t.Logf("red at crawl %d: %s", seed, strings.SplitN(err.Error(), "\n", 2)[0])
					return
				}
			}
			t.Errorf("60 crawls did not see it; %d orphans lived on", n.orphans.Load())
		})
	}
}
