package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// crawler is one node: a manager that runs now and then.
type crawler struct {
	*options
	name    string
	starts  int
	began   time.Time      // the last start
	waited  map[string]int // how many of its runs began while a file waited for it
	held    bool           // another manager had its crawl: one of a runner that was killed, which is coming to its end
	limited bool           // it has reached a limit of [stop], and is not started again
	cmd     *exec.Cmd      // nil before the first start
	ended   chan error     // gives how the run ended, once
}

// manager is a call of the manager for this crawler.
func (one *crawler) manager(verb string, args ...string) *exec.Cmd {
	args = append([]string{verb}, args...)
	for _, v := range append([]string{"node=" + one.name, "web=" + one.web, "looks=" + one.looks.String()},
		one.vars...) {
		args = append(args, "-var", v)
	}
	return exec.Command(filepath.Join(one.bin, "manager"), append(args, one.path("c4.toml"))...)
}

// start starts the manager. What it says goes to logs/NAME.
func (one *crawler) start() error {
	log, err := os.OpenFile(one.path("logs", one.name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("start %s: %w", one.name, err)
	}
	defer log.Close()
	one.cmd = one.manager("run")
	one.cmd.Stdout, one.cmd.Stderr = log, log
	one.cmd.SysProcAttr = apart
	if err := one.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", one.name, err)
	}
	one.starts++
	one.held = false
	one.began = time.Now()
	one.ended = make(chan error, 1)
	go func(cmd *exec.Cmd, ended chan<- error) { ended <- cmd.Wait() }(one.cmd, one.ended)
	return nil
}

// How a manager ends that finds another at work in its crawl, and one that reached a limit of [stop].
const (
	exitHeld  = 3
	exitLimit = 7
)

// runs tells whether the manager is at work; that it has failed is an error.
func (one *crawler) runs() (bool, error) {
	if one.ended == nil {
		return false, nil
	}
	select {
	case err := <-one.ended:
		one.ended = nil
		switch one.cmd.ProcessState.ExitCode() {
		case exitHeld:
			one.held = true
			return false, nil
		case exitLimit:
			one.limited = true
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("the manager of %s: %w; see %s", one.name, err, one.path("logs", one.name))
		}
		return false, nil
	default:
		return true, nil
	}
}

func (one *crawler) stop() {
	if one.ended != nil {
		one.cmd.Process.Signal(syscall.SIGTERM)
	}
}

func (one *crawler) wait() {
	if one.ended != nil {
		<-one.ended
		one.ended = nil
	}
}
