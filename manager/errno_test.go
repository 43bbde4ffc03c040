package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/txlog"
	"multitext/txlog/crash"
)

var failing = flag.Int("failing", 32,
	"TestEveryCallFails fails every so many-th call, with each error, once and lastingly; 1: every call")

// slowInbox is the story of requests, as slow.
func slowInbox() story {
	s := slow("")
	slowly := s.prepare
	s.name, s.script = "slow inbox", "inbox"
	s.prepare = func(r *rig, folder string) error { return errors.Join(slowly(r, folder), leaveRequests(r, folder)) }
	return s
}

// slowFrontier is the story of the frontier, as slow.
func slowFrontier() story {
	s := slow("")
	s.name, s.script = "slow frontier", "frontier"
	return s
}

// A tally counts calls that failed, by what followed.
type tally struct{ injected, loud, waited, absorbed atomic.Int64 }

// fail makes one call of a fresh crawl fail. The crawl must end with the code of a directory that
// cannot be written, naming the error, or complete, or wait and say for what. If a call on the log
// fails, only the first will do. A run without the fault must then complete the crawl.
func (r *rig) fail(at int, name string, lasting bool, n *tally) (hit bool, err error) {
	folder, err := r.makeFolder()
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	env := []string{crash.FailAt + "=" + strconv.Itoa(at), crash.FailWith + "=" + name}
	if lasting {
		env = append(env, crash.FailOn+"=yes")
	}
	o, err := r.startOrStop(folder, env...)
	if err == nil && !o.fired && o.code != crawl.ExitDone {
		err = fmt.Errorf("without a fault: exit code %d; it said\n%s", o.code, o.said)
	}
	if err != nil || !o.fired {
		return false, err
	}
	n.injected.Add(1)
	said := strings.Contains(o.said, crash.Errors()[name].Error())
	op, path, _ := strings.Cut(o.where, " ")
	switch {
	case path == "/crawl/log" && (op == "write" || op == "fsync") && o.code != crawl.ExitBroken:
		return true, fmt.Errorf("%s: exit code %d, but nothing is known of a log that failed; it said\n%s", o.where,
			o.code, o.said)
	case o.code == crawl.ExitDone:
		n.absorbed.Add(1)
	case o.code == crawl.ExitBroken && said:
		n.loud.Add(1)
	case o.code == crawl.ExitStopped && said:
		n.waited.Add(1)
	default:
		return true, fmt.Errorf("%s: exit code %d; it said\n%s", o.where, o.code, o.said)
	}
	if err := r.end(folder); err != nil {
		return true, fmt.Errorf("%s: after exit code %d, mended: %w", o.where, o.code, err)
	}
	return true, nil
}

// unpaid is how long a crawl may wait for an error to go away, without a commit, before it is told
// to stop.
const unpaid = 2 * time.Second

// startOrStop runs the manager to its end, and tells it to stop if it waits.
func (r *rig) startOrStop(folder string, env ...string) (ending, error) {
	return r.startWith(folder, func(p *os.Process) (done func()) {
		ended := make(chan struct{})
		go func() {
			for last := -1; ; {
				select {
				case <-ended:
					return
				case <-time.After(unpaid):
				}
				log, _ := os.ReadFile(filepath.Join(folder, "crawl", txlog.LogFile))
				n := bytes.Count(log, []byte(" commit\t"))
				if n == last {
					p.Signal(syscall.SIGTERM)
					return
				}
				last = n
			}
		}()
		return func() { close(ended) }
	}, env...)
}

// failAll fails every step-th call of fresh crawls, the first one first, until a
// crawl ends without having come to its call, or is not as it should be.
func (r *rig) failAll(first, step int, name string, lasting bool, n *tally) error {
	var next atomic.Int64
	var red atomic.Bool
	return atOnce(2*width, 2*width, func(int) error {
		for {
			at := first + int(next.Add(1)-1)*step
			hit, err := r.fail(at, name, lasting, n)
			if err != nil {
				red.Store(true)
				return fmt.Errorf("%s at call %d: %w", name, at, err)
			}
			if !hit || red.Load() {
				return nil
			}
		}
	})
}

// Every call by which the manager changes the directory fails, once or from then on, with each
// error that it may return; in the story of requests, and in that of a frontier.
func TestEveryCallFails(t *testing.T) {
	for _, s := range []story{slowInbox(), slowFrontier()} {
		r, step := newStoryRig(t, s), *failing
		if s.script == "frontier" && step > 1 {
			step *= 4 // its crawls have three times as many calls, and are longer
		}
		for name := range crash.Errors() {
			for what, lasting := range map[string]bool{"once": false, "lasting": true} {
				t.Run(s.name+" "+name+" "+what, func(t *testing.T) { r.everyCallFails(t, step, name, lasting) })
			}
		}
	}
}

func (r *rig) everyCallFails(t *testing.T, step int, name string, lasting bool) {
	t.Helper()
	var n tally
	if err := r.failAll(1, step, name, lasting, &n); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d calls failed: %d ended loudly, %d waited and said so, %d were absorbed", n.injected.Load(),
		n.loud.Load(), n.waited.Load(), n.absorbed.Load())
	if n.injected.Load() < int64(50 / *failing) || n.loud.Load() == 0 {
		t.Errorf("%d calls failed, %d loudly", n.injected.Load(), n.loud.Load())
	}
}

// The test detects a log whose failed writes and syncs are ignored, and an add that is given up
// because the disk failed.
func TestErrorsSeeDefects(t *testing.T) {
	for _, defect := range []string{"write-error-ignored", "add-given-up", "sync-error-ignored"} {
		t.Run(defect, func(t *testing.T) {
			r := newStoryRig(t, slowInbox(), defect)
			var n tally
			var err error
			// The order of calls differs from crawl to crawl: a pass of every fifth may
			// miss the few that tell, so the next pass takes others.
			for first := 1; first <= 5 && err == nil; first++ {
				err = r.failAll(first, 5, "EIO", false, &n)
			}
			if err == nil {
				t.Fatalf("%d failed calls did not see it", n.injected.Load())
			}
			t.Logf("red after %d failed calls: %s", n.injected.Load(), strings.SplitN(err.Error(), "\n", 2)[0])
		})
	}
}
