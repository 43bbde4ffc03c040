package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("PROC_TEST_MANAGER") != "" {
		runtime.LockOSThread()
		p, err := Start(Spec{Argv: []string{"sleep", "100"}, Stderr: os.Stderr})
		if err != nil {
			panic(err)
		}
		fmt.Println(p.Pid)
		time.Sleep(time.Minute)
	}
	if err := Adopt(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// A program dies with the manager that started it, whatever that died of.
func TestProgramDiesWithItsManager(t *testing.T) {
	p, out := startWith(t, Spec{Argv: []string{os.Args[0]}, Env: append(os.Environ(), "PROC_TEST_MANAGER=yes")})
	pid, err := strconv.Atoi(says(t, out))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	if err := syscall.Kill(p.Pid, syscall.SIGKILL); err != nil { // the manager alone, not its group
		t.Fatal(err)
	}
	if _, err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); syscall.Kill(pid, 0) == nil; reap(pid, 10*time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d lives on", pid)
		}
	}
}

// start starts a shell text; what it writes goes to the file returned.
func start(t *testing.T, text string) (p *Process, out string) {
	t.Helper()
	return startMarked(t, text, "")
}

func startMarked(t *testing.T, text, mark string) (p *Process, out string) {
	t.Helper()
	return startWith(t, Spec{Argv: []string{"bash", "-c", text}, Env: append(os.Environ(), mark), Mark: mark})
}

func startWith(t *testing.T, s Spec) (p *Process, out string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.Dir, s.Stdout, s.Stderr, s.Lock = t.TempDir(), f, f, f
	p, err = Start(s)
	if err != nil {
		t.Fatal(err)
	}
	return p, f.Name()
}

// says waits until a program has written a line, and returns it.
func says(t *testing.T, out string) string { t.Helper(); return saysLines(t, out, 1) }

func saysLines(t *testing.T, out string, n int) string {
	t.Helper()
	for range 2000 {
		if text, err := os.ReadFile(out); err == nil && strings.Count(string(text), "\n") >= n {
			return strings.TrimSpace(string(text))
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("it says nothing")
	return ""
}

// pids waits for the process ids that a program writes, two of them.
func pids(t *testing.T, out string) (pids []int) {
	t.Helper()
	for word := range strings.FieldsSeq(saysLines(t, out, 2)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// How a program ended is told in code and words.
func TestResult(t *testing.T) {
	for text, want := range map[string]Result{
		"true":                {Exit: "0"},
		"exit 75":             {Code: 75, Exit: "75"},
		"kill -SEGV $$":       {Code: -1, Exit: "signal: segmentation fault"},
		"kill -KILL $$":       {Code: -1, Exit: "signal: killed"},
		"trap 'exit 3' EXIT":  {Code: 3, Exit: "3"},
		"sleep 100 & exit 0":  {Exit: "0"},
		"setsid sleep 0.01 &": {Exit: "0"},
	} {
		p, _ := start(t, text)
		got, err := p.Wait()
		if err != nil || got.Code != want.Code || got.Exit != want.Exit || got.Memory <= 0 {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

// A program that cannot be started is an error of the start.
func TestStartOfNothing(t *testing.T) {
	if _, err := Start(Spec{Argv: []string{filepath.Join(t.TempDir(), "none")}}); err == nil {
		t.Error("it was started")
	}
}

// What a program leaves behind in its group is gone when Wait returns, also what
// ignores SIGTERM; and a program holds the lock as descriptor 3.
func TestWaitEndsTheGroup(t *testing.T) {
	p, out := start(t, "(trap '' TERM; echo $BASHPID >&3; touch up; while :; do sleep 0.01; done) & "+
		"until [ -e up ]; do sleep 0.01; done")
	if r, err := p.Wait(); err != nil || r.Code != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	pid, err := strconv.Atoi(says(t, out))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("%d still runs: %v", pid, err)
	}
}

// What has left the group is ended, with what it has started in turn, and leaves no
// zombie; what another program has started is not.
func TestWaitEndsWhatHasLeftTheGroup(t *testing.T) {
	const stray = `(setsid sh -c 'trap "" TERM; echo $$; setsid sleep 100 & echo $!; touch up; ` +
		`while :; do sleep 0.01; done' &); ` +
		`until [ -e up ]; do sleep 0.01; done`
	other, out := startMarked(t, stray+"; sleep 100", "PROC_TEST=other")
	theirs := pids(t, out)
	p, out := startMarked(t, "setsid true; "+stray, "PROC_TEST=mine")
	if r, err := p.Wait(); err != nil || r.Code != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	mine := pids(t, out)
	for _, pid := range mine {
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("%d still runs, or is a zombie: %v", pid, err)
		}
	}
	for _, pid := range theirs {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("%d of another program: %v", pid, err)
		}
	}
	other.End(0)
	if _, err := other.Wait(); err != nil {
		t.Error(err)
	}
	if left := children(); len(left) > 0 {
		t.Errorf("children that are left: %v", left)
	}
}

// One that has just left the group, and is becoming the program that it is to be, is
// ended as well: for an instant it shows no environment. What was started without one
// is not waited for.
func TestWaitEndsWhatIsBecomingAnother(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	p, out := startMarked(t, "setsid env -i sh -c 'echo $$; : > up; exec env -i sleep 100' & "+
		"until [ -e up ]; do sleep 0.01; done", "PROC_TEST=bare")
	if r, err := p.Wait(); err != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	bare, err := strconv.Atoi(says(t, out))
	if err != nil || !slices.Contains(children(), bare) {
		t.Fatalf("nothing is tested: %d is no child any more (%v)", bare, err)
	}
	for i := range 150 {
		p, _ := startMarked(t, fmt.Sprintf("setsid sleep 100 & for ((i = 0; i < %d; i++)); do :; done", i%10*100),
			"PROC_TEST=mine")
		start := time.Now()
		if _, err := p.Wait(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > goneWithin/2 {
			t.Fatalf("it took %s", took)
		}
		for _, pid := range children() {
			if pid == bare {
				continue
			}
			t.Errorf("after run %d there is still %d", i, pid)
			syscall.Kill(pid, syscall.SIGKILL)
			reap(pid, goneWithin)
		}
	}
	syscall.Kill(bare, syscall.SIGKILL)
	reap(bare, goneWithin)
}

// BenchmarkStrays is what the look for strays costs where there are none.
func BenchmarkStrays(b *testing.B) {
	p := &Process{mark: "PROC_TEST=none"}
	for b.Loop() {
		if err := p.strays(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEndAll is what a start's look for what a dead manager left costs.
func BenchmarkEndAll(b *testing.B) {
	for b.Loop() {
		if err := EndAll(func(int, string) bool { return false }, goneWithin); err != nil {
			b.Fatal(err)
		}
	}
}

// Who cannot look at processes says so, and does not say that none is left.
func TestEndAllUnseen(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may move its root")
	}
	looked := make(chan error)
	go func() {
		runtime.LockOSThread() // for ever: the thread ends with this function
		if err := errors.Join(syscall.Unshare(syscall.CLONE_FS), syscall.Chroot(t.TempDir())); err != nil {
			t.Error(err)
		}
		looked <- EndAll(func(int, string) bool { return false }, goneWithin)
	}()
	if err := <-looked; err == nil {
		t.Error("without /proc nothing is found, and no error")
	}
}

// End asks first, and insists on what does not listen.
func TestEnd(t *testing.T) {
	for text, want := range map[string]string{
		"echo up; exec sleep 100":                                   "signal: terminated",
		"trap 'exit 7' TERM; echo up; while :; do sleep 0.01; done": "7",
		"trap '' TERM; echo up; while :; do sleep 0.01; done":       "signal: killed",
	} {
		p, out := start(t, text)
		says(t, out)
		p.End(200 * time.Millisecond)
		if r, err := p.Wait(); err != nil || r.Exit != want {
			t.Errorf("%s: %+v, %v; want %q", text, r, err, want)
		}
	}
}

// What is met and turns out not to be meant is not ended; nor is what is gone.
func TestKill(t *testing.T) {
	p, out := start(t, "echo up; sleep 100")
	says(t, out)
	if Kill(p.Pid, func() bool { return false }) || syscall.Kill(p.Pid, 0) != nil {
		t.Error("it was ended")
	}
	if !Kill(p.Pid, func() bool { return true }) {
		t.Error("it was not")
	}
	if r, err := p.Wait(); err != nil || r.Exit != "signal: killed" {
		t.Errorf("%+v, %v", r, err)
	}
	if Kill(p.Pid, func() bool { t.Error("asked of what is gone"); return true }) {
		t.Error("ended twice")
	}
}

// Once a program has ended nothing is sent to its group any more: its number may
// be another's by then.
func TestNoSignalAfterTheEnd(t *testing.T) {
	p, _ := start(t, "true")
	if _, err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	other, out := start(t, "echo up; sleep 100")
	says(t, out)
	ended := make(chan Result, 1)
	go func() {
		r, _ := other.Wait()
		ended <- r
	}()
	p.Pid = other.Pid
	p.End(0)
	p.Signal(syscall.SIGKILL)
	select {
	case r := <-ended:
		t.Fatalf("another program was ended: %+v", r)
	case <-time.After(100 * time.Millisecond):
	}
	other.End(0)
	if r := <-ended; r.Code != -1 {
		t.Errorf("%+v", r)
	}
}

// One that becomes another program again and again carries its mark all the while, also
// where its environment is cut off because it has become another while it was read.
func TestMarkOfOneThatBecomesAnother(t *testing.T) {
	script := filepath.Join(t.TempDir(), "again")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec \"$0\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	p, _ := startWith(t, Spec{Argv: []string{script}, Mark: "PROC_TEST=mine",
		Env: []string{"LONG=" + strings.Repeat("x", 100_000), "PROC_TEST=mine"}})
	var seen [3]int
	for start := time.Now(); time.Since(start) < time.Second; {
		seen[carries(p.Pid, p.marked)]++
	}
	if p.End(0); seen[no] > 0 || seen[yes] == 0 {
		t.Errorf("of all looks %d took it for another's, %d for marked", seen[no], seen[yes])
	}
	if _, err := p.Wait(); err != nil {
		t.Error(err)
	}
}
