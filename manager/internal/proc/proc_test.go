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

// A program whose first thread ends while others live on.
func init() {
	if up := os.Getenv("HEADLESS"); up != "" {
		os.WriteFile(up, nil, 0o666)
		syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
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

// listed are the children of this process.
func listed(t *testing.T) []int {
	t.Helper()
	pids, err := children()
	if err != nil {
		t.Fatal(err)
	}
	return pids
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
	p, out := start(t, "(trap '' TERM; echo $BASHPID >&3; touch up; while :; do sleep 0.01; done) & until [ -e up ]; do sleep 0.01; done")
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
	const stray = `(setsid sh -c 'trap "" TERM; echo $$; setsid sleep 100 & echo $!; touch up; while :; do sleep 0.01; done' &); ` +
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
	if left, err := children(); err != nil || len(left) > 0 {
		t.Errorf("children that are left: %v", left)
	}
}

// One that has just left the group, and is becoming the program that it is to be, is
// ended as well: for an instant it shows no environment. What was started without one
// is not waited for.
func TestWaitEndsWhatIsBecomingAnother(t *testing.T) {
	p, out := startMarked(t, "setsid env -i sh -c 'echo $$; : > up; exec env -i sleep 100' & until [ -e up ]; do sleep 0.01; done", "PROC_TEST=bare")
	if r, err := p.Wait(); err != nil || r.Alone {
		t.Fatalf("%+v, %v; what it has left may have its files open", r, err)
	}
	bare, err := strconv.Atoi(says(t, out))
	if err != nil || !slices.Contains(listed(t), bare) {
		t.Fatalf("nothing is tested: %d is no child any more (%v)", bare, err)
	}
	for i := range 150 {
		p, _ := startMarked(t, fmt.Sprintf("setsid sleep 100 & for ((i = 0; i < %d; i++)); do :; done", i%10*100), "PROC_TEST=mine")
		start := time.Now()
		if _, err := p.Wait(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > patience/2 {
			t.Fatalf("it took %s", took)
		}
		for _, pid := range listed(t) {
			if pid == bare {
				continue
			}
			t.Errorf("after run %d there is still %d", i, pid)
			syscall.Kill(pid, syscall.SIGKILL)
			reap(pid, patience)
		}
	}
	syscall.Kill(bare, syscall.SIGKILL)
	reap(bare, patience)
}

// A program is alone at its end where nothing of it lives that has thrown away its mark,
// in whatever group and session; what another run or a service has started is none of it.
func TestAlone(t *testing.T) {
	for _, mark := range []string{RunMark + "other", ServiceMark + "other"} {
		defer other(t, mark)()
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"true":                           true,
		"setsid true":                    true,
		"setsid sleep 100 & sleep 100 &": true,
		"setsid env -i bash -c ': > up; exec sleep 100' & until [ -e up ]; do sleep 0.01; done":                                                 false,
		"HEADLESS=up setsid " + self + " & until [ -e up ]; do sleep 0.01; done; until grep -q 'State:.Z' /proc/$!/status; do sleep 0.01; done": false,
		"set -m; env -u MT_REPORT bash -c ': > up; exec sleep 100' & until [ -e up ]; do sleep 0.01; done":                                      false,
	} {
		p, _ := startMarked(t, text, RunMark+"mine")
		r, err := p.Wait()
		if err != nil || r.Alone != want {
			t.Errorf("%s: %+v, %v; want alone %v", text, r, err, want)
		}
		for _, pid := range listed(t) {
			if carries(pid, p.marked) == stranger {
				syscall.Kill(pid, syscall.SIGKILL)
				reap(pid, patience)
			}
		}
	}
}

// other starts a program that leaves a child to this process.
func other(t *testing.T, mark string) (end func()) {
	t.Helper()
	p, out := startMarked(t, "(setsid bash -c 'echo up; exec sleep 100' &); sleep 100", mark)
	says(t, out)
	left := func(pid int) bool { return carries(pid, p.marked) == yes && pid != p.Pid }
	for start := time.Now(); !slices.ContainsFunc(listed(t), left); time.Sleep(time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatalf("nothing is tested: no child carries %s", mark)
		}
	}
	return func() {
		p.End(0)
		if r, err := p.Wait(); err != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// Who cannot look is not told that a program is alone.
func TestNotAloneUnlessSeen(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may become another user, or move its root")
	}
	for name, blind := range map[string]func() error{
		"children are not listed": func() error {
			return errors.Join(syscall.Unshare(syscall.CLONE_FS), syscall.Chroot(t.TempDir()))
		},
		"a child of another user": func() error {
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, 12345, 12345, 12345); errno != 0 {
				return errno
			}
			return nil
		},
	} {
		looked := make(chan struct{})
		end := other(t, ServiceMark+"other")
		go func() {
			runtime.LockOSThread() // for ever: the thread ends with this function
			before, _ := (&Process{mark: RunMark + "mine"}).strays()
			err := blind()
			after, _ := (&Process{mark: RunMark + "mine"}).strays()
			if !before || err != nil || after {
				t.Errorf("%s: alone before %v, %v, after %v", name, before, err, after)
			}
			close(looked)
		}()
		<-looked
		end()
	}
}

// BenchmarkStrays is what the look for strays costs where there are none.
func BenchmarkStrays(b *testing.B) {
	p := &Process{mark: "PROC_TEST=none"}
	for b.Loop() {
		if _, err := p.strays(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEndAll is what a start's look for what a dead manager left costs.
func BenchmarkEndAll(b *testing.B) {
	for b.Loop() {
		if err := EndAll(func(int, string) bool { return false }, patience); err != nil {
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
		looked <- EndAll(func(int, string) bool { return false }, patience)
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
	p, _ := startWith(t, Spec{Argv: []string{script}, Env: []string{"LONG=" + strings.Repeat("x", 100_000), "PROC_TEST=mine"}, Mark: "PROC_TEST=mine"})
	var seen [kinds]int
	for start := time.Now(); time.Since(start) < time.Second; {
		seen[carries(p.Pid, p.marked)]++
	}
	if p.End(0); seen[stranger]+seen[no] > 0 || seen[yes] == 0 {
		t.Errorf("of all looks %d took it for a stranger, %d for another's, %d for marked", seen[stranger], seen[no], seen[yes])
	}
	if _, err := p.Wait(); err != nil {
		t.Error(err)
	}
}
