// Package proc starts programs in process groups of their own, kills them, and waits until no
// process of a group is left. It starts all stages and services.
//
// A program dies with the manager, because the kernel sends it SIGKILL when the thread that started
// it ends. So all starts come from one thread that never ends (the caller's, locked). Descendants
// of the program do not get this signal. They hold the crawl's lock, or have closed it and have a
// mark in their environment. A later manager finds and kills them by the lock or by the mark.
//
// When a program has ended, package proc kills all processes that it has started before anybody
// reads its files. These are the processes in its group, and those that have left the group, as a
// daemon does.
package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Spec describes the program to start.
type Spec struct {
	Argv   []string
	Dir    string
	Env    []string
	Stdout *os.File
	Stderr *os.File
	Lock   *os.File // passed to the program as descriptor 3

	// Mark is an entry of Env that only this run or service has. The program has started each
	// process that carries it. "" means no mark.
	Mark string
}

// A Process is a running program.
type Process struct {
	cmd   *exec.Cmd
	mark  string
	group sync.Mutex    // held while the group's number is used
	done  chan struct{} // closed when the program has ended
	Pid   int
}

// A Result describes how a program ended.
type Result struct {
	Code   int    // exit code; -1 for a signal
	Exit   string // in words: "0", "1", "signal: killed"
	CPU    time.Duration
	Memory int64 // peak resident bytes
}

// The beginnings of the marks of programs.
const (
	RunMark     = "MT_REPORT="
	ServiceMark = "MT_SERVICE="
)

// Adopt makes this process the parent of the orphans among its descendants, so that it can wait for
// the processes that a stage leaves running.
func Adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// Start starts a program. The error is about the start; Wait returns how the program ends.
func Start(s Spec) (*Process, error) {
	cmd := exec.Command(s.Argv[0], s.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.Dir, s.Env, s.Stdout, s.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if s.Lock != nil {
		cmd.ExtraFiles = []*os.File{s.Lock}
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Process{cmd: cmd, mark: s.Mark, done: make(chan struct{}), Pid: cmd.Process.Pid}, nil
}

// Signal sends a signal to the whole group while the program runs. After Wait has killed the rest
// of the group, the number of the group may belong to another one.
func (p *Process) Signal(sig syscall.Signal) {
	p.group.Lock()
	defer p.group.Unlock()
	select {
	case <-p.done:
	default:
		syscall.Kill(-p.Pid, sig)
	}
}

// End tells the group to end, and kills it if the program has not ended after grace. It returns at
// once.
func (p *Process) End(grace time.Duration) {
	p.Signal(syscall.SIGTERM)
	go func() {
		select {
		case <-p.done:
		case <-time.After(grace):
			p.Signal(syscall.SIGKILL)
		}
	}()
}

// Wait waits for the program. Then it kills the rest of its group and the processes that have left
// the group, and waits until all of them have ended. Only then do the program's files not change
// any more.
func (p *Process) Wait() (Result, error) {
	p.killGroup()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Result{}, fmt.Errorf("wait for %s: %w", p.cmd.Path, err)
	}
	r := result(p.cmd.ProcessState)
	return r, errors.Join(p.clear(), p.strays())
}

// killGroup waits for the program's end and kills the rest of its group. It does not reap the
// program before that, so the program's number, which is the group's, cannot belong to another
// process.
func (p *Process) killGroup() {
	for {
		err := unix.Waitid(unix.P_PID, p.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	p.group.Lock()
	defer p.group.Unlock()
	close(p.done)
	syscall.Kill(-p.Pid, syscall.SIGKILL)
}

func result(state *os.ProcessState) Result {
	r := Result{Code: state.ExitCode(), CPU: state.UserTime() + state.SystemTime()}
	r.Exit = fmt.Sprint(r.Code)
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		r.Exit = "signal: " + ws.Signal().String()
	}
	if ru, ok := state.SysUsage().(*syscall.Rusage); ok {
		r.Memory = ru.Maxrss * 1024
	}
	return r
}

// goneWithin is the maximum time that Wait waits for the rest of a group after killing it. A
// process may never end if it hangs in a system call, or if its parent has left the group and does
// not reap it.
const goneWithin = 30 * time.Second

// clear waits until the group, which was killed, has no more processes. Its members have become
// children of this process (see Adopt), which reaps them until there are none.
func (p *Process) clear() error {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		if err := syscall.Kill(-p.Pid, 0); errors.Is(err, syscall.ESRCH) {
			return nil
		}
		var status syscall.WaitStatus
		for {
			pid, err := syscall.Wait4(-p.Pid, &status, syscall.WNOHANG, nil)
			if pid <= 0 || err != nil {
				break
			}
		}
		if time.Since(start) > goneWithin {
			return fmt.Errorf("processes of group %d do not end", p.Pid)
		}
	}
}
