package main

import (
	"fmt"
	"syscall"
)

// idlePerRequest is the number of idle connections that are kept for each possible concurrent
// request. The pause between requests to a host is longer than its answers take, and for the host a
// new connection costs more than an idle one.
const idlePerRequest = 4

// otherFiles is the maximum number of open files besides connections and answers: inputs, outputs,
// segments, files of the system.
const otherFiles = 100

// mayOpen returns the number of files that this process may open. Go has raised the soft limit to
// the hard limit.
func mayOpen() (uint64, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("get the limit on open files: %w", err)
	}
	return uint64(limit.Cur), nil
}

// maxIdle returns the number of idle connections to keep, for the maximum numbers of concurrent
// requests and open files. Requests have priority: each needs a connection, and a file if its
// answer is long.
func maxIdle(connections int, files uint64) (int, error) {
	requests := (files - min(files, otherFiles)) / 2
	if uint64(connections) > requests {
		return 0, fmt.Errorf("-connections %d: %d files may be open (ulimit -n), but each needs two, and all "+
			"else needs %d",
			connections, files, otherFiles)
	}
	return int(min(2*(requests-uint64(connections)), idlePerRequest*uint64(connections))), nil
}
