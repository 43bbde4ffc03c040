package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// cost is what a process took with all that it started and waited for.
type cost struct {
	began        time.Time
	wall, cpu    time.Duration
	largest, sum int64 // peak anonymous memory in bytes: of one process, of all at one moment
	written      int64 // bytes that went to storage
}

// measure runs cmd to its end; if it is watched, with an eye on its memory.
func measure(cmd *exec.Cmd, watched bool) (cost, error) {
	before := writtenByUs()
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, err
	}
	ended, peak := make(chan struct{}), make(chan cost, 1)
	if watched {
		go func() { peak <- watch(cmd.Process.Pid, ended) }()
	} else {
		peak <- cost{}
	}
	err := cmd.Wait()
	wall := time.Since(start)
	close(ended)
	c := <-peak
	c.began, c.wall = start, wall
	// Both hold what the process has waited for, too.
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	c.written = writtenByUs() - before
	return c, err
}

// watch looks at the memory of a process and its descendants until it has ended. strace is none of
// them.
func watch(pid int, ended <-chan struct{}) (peak cost) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		var sum int64
		for _, pid := range descendants(pid, nil) {
			m := anonymous(pid)
			if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); string(name) == "strace\n" {
				continue
			}
			peak.largest = max(peak.largest, m)
			sum += m
		}
		peak.sum = max(peak.sum, sum)
		select {
		case <-ended:
			return peak
		case <-tick.C:
		}
	}
}

// descendants appends pid and all below it to found. A process that ends meanwhile may be left out.
func descendants(pid int, found []int) []int {
	found = append(found, pid)
	tasks := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(tasks)
	for _, thread := range threads {
		children, _ := os.ReadFile(tasks + "/" + thread.Name() + "/children")
		for _, child := range strings.Fields(string(children)) {
			if pid, err := strconv.Atoi(child); err == nil {
				found = descendants(pid, found)
			}
		}
	}
	return found
}

// anonymous is the memory of a process that is no file's: resident less shared (proc_pid_statm(5)).
func anonymous(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 3 {
		return 0
	}
	resident, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	shared, _ := strconv.ParseInt(string(fields[2]), 10, 64)
	return (resident - shared) * int64(os.Getpagesize())
}

// writtenByUs is what this process and those that it has waited for caused to be written. What is
// removed before it was written is not written.
func writtenByUs() int64 {
	text, _ := os.ReadFile("/proc/self/io")
	return written(string(text))
}

// written is what an io file in /proc says.
func written(io string) (written int64) {
	for line := range strings.Lines(io) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "write_bytes":
			written += n
		case "cancelled_write_bytes":
			written -= n
		}
	}
	return written
}

// cpuOf is the user and system time that a running process has taken so far; 0 where it can not be
// told.
func cpuOf(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(text), ") ") // behind the name, which may hold blanks
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	const tick = time.Second / 100 // USER_HZ is 100 on every Linux
	return time.Duration(user+system) * tick
}
