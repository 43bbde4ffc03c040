package main

import (
	"os/exec"
	"strings"
)

// A watched crawl is not timed: its memory is looked at and, of multitext, its syncs are counted.
// Either slows a crawl down. Who looks at a process in /proc lets its parent wait when it has
// ended.

// strace is the command that writes the syncs of another and of all that it starts to a file, or
// nil where it is not installed or may not do so. It passes a signal that ends it on to the
// command; with -o it would ignore it.
func strace(trace string) []string {
	words := []string{"strace", "-f", "--seccomp-bpf", "-qqq", "-e",
		"trace=fsync,fdatasync,sync,syncfs,sync_file_range,msync", "-e", "signal=none", "-I", "waiting", "-o", trace}
	if exec.Command(words[0], append(words[1:], "true")...).Run() != nil {
		return nil
	}
	return words
}

// calls counts the calls in a trace of strace; one that another thread's call came between has a
// second line, which says "resumed".
func calls(trace string) (n int) {
	for line := range strings.Lines(trace) {
		if strings.Contains(line, "sync") && !strings.Contains(line, " resumed>") {
			n++
		}
	}
	return n
}
