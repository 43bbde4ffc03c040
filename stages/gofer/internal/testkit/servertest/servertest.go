// Package servertest starts the real servers that gofer's transports are tried on, on loopback
// ports and below a test's own folder: OpenSSH's sshd, and versitygw, an S3 service over a folder.
// Where a server is absent the test is skipped, with a word on how to get it; .ci/run installs
// both.
package servertest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is a server that can be killed and started again.
type process struct {
	address string
	command func() *exec.Cmd

	mu  sync.Mutex
	cmd *exec.Cmd
	out *lines
}

// lines keeps what a server prints, for when a test fails.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text.Len() > 1<<20 {
		l.text.Reset()
	}
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Start starts the server and waits until it answers.
func (p *process) Start(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
}

func (p *process) start() error {
	if p.out == nil {
		p.out = &lines{}
	}
	p.cmd = p.command()
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	dieWithUs(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return err
	}
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", p.address); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("%s does not answer on %s:\n%s", p.cmd.Path, p.address, p.out)
}

// Kill kills the server and all that it has started.
func (p *process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kill()
}

func (p *process) kill() {
	if p.cmd == nil {
		return
	}
	for _, pid := range descendants(p.cmd.Process.Pid) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	p.cmd.Process.Kill()
	p.cmd.Wait()
	p.cmd = nil
}

// Restart kills the server and starts it again.
func (p *process) Restart() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kill()
	return p.start()
}

// KillSessions kills what the server has started, and not itself: for sshd, every connection. It
// returns how many processes that were.
func (p *process) KillSessions() (killed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return 0
	}
	for _, pid := range descendants(p.cmd.Process.Pid) {
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}

// descendants are the processes below pid.
func descendants(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state ppid …; the name may hold anything
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if fields[0] == "Z" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		children[parent] = append(children[parent], child)
	}
	below := children[pid]
	for i := 0; i < len(below); i++ {
		below = append(below, children[below[i]]...)
	}
	return below
}

// freeAddress returns an address of 127.0.0.1 on which nobody listens now.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func write(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// look finds a program in PATH or in one of the folders.
func look(name string, folders ...string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	for _, folder := range folders {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no %s in PATH, nor in %s", name, strings.Join(folders, ", "))
}
