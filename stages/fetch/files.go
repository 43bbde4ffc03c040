package main

import (
	"fmt"
	"syscall"
)

// idlePerRequest is how many connections are kept for a next request, for each that may be under
// way: a host is left alone for longer than it takes to answer, and another connection costs it
// more than to keep one.
const idlePerRequest = 4

// otherFiles are what a run has open beside connections and answers, or less: inputs, outputs,
// segments, the system's.
const otherFiles = 100

// mayOpen is how many files this process may have open. Of its two limits Go has raised the soft to
// the hard.
func mayOpen() (uint64, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("look how many files may be open: %w", err)
	}
	return uint64(limit.Cur), nil
}

// maxIdle is how many connections are kept for a next request, where so many requests may be under
// way and so many files open. Each request comes first: it has a connection, and a file if its
// answer is long.
func maxIdle(connections int, files uint64) (int, error) {
	requests := (files - min(files, otherFiles)) / 2
	if uint64(connections) > requests {
		return 0, fmt.Errorf("-connections %d: of the %d files that may be open (ulimit -n) each takes two, and all "+
			"else %d",
			connections, files, otherFiles)
	}
	return int(min(2*(requests-uint64(connections)), idlePerRequest*uint64(connections))), nil
}
