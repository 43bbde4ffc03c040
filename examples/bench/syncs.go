package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// countSyncs crawls once more under strace, and returns how often something was synced.
func countSyncs(ctx context.Context, c *crawler, dir string, w *web) (*int, error) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "syncs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := c.before(dir); err != nil {
		return nil, err
	}
	trace := filepath.Join(dir, "trace")
	words := []string{strace, "-f", "--seccomp-bpf", "-qqq", "-e", "trace=fsync,fdatasync,sync,syncfs,sync_file_range,msync", "-e", "signal=none", "-o", trace}
	said := &tail{}
	cmd := command(ctx, dir, append(words, c.command(dir, w.address)...))
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("crawl under strace: %w; it said\n%s", err, said)
	}
	if _, err := w.served(); err != nil { // so that the web forgets it
		return nil, err
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		return nil, err
	}
	n := calls(string(text))
	if n == 0 {
		return nil, errors.New("strace saw none")
	}
	return &n, nil
}

// calls counts the calls in a trace of strace; one that another thread's call came between has a second
// line, which says "resumed".
func calls(trace string) (n int) {
	for line := range strings.Lines(trace) {
		if strings.Contains(line, "sync") && !strings.Contains(line, " resumed>") {
			n++
		}
	}
	return n
}
