package main

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

//go:embed crawl.toml queue.toml scope.txt
var files embed.FS

// furnish puts the script and what it names into dir; the seeds are all front pages.
func (o *options) furnish(dir string, r row) error {
	if err := os.CopyFS(dir, files); err != nil {
		return fmt.Errorf("write the script: %w", err)
	}
	var seeds strings.Builder
	for i := range o.healthy + r.hostile(o.healthy) {
		fmt.Fprintf(&seeds, "http://h%03d.test/\n", i)
	}
	if err := os.WriteFile(filepath.Join(dir, "seeds.txt"), []byte(seeds.String()), 0o666); err != nil {
		return fmt.Errorf("write the seeds: %w", err)
	}
	text, err := o.scriptText()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "crawl.toml"), []byte(text), 0o666)
}

// scriptText is the script that is crawled by.
func (o *options) scriptText() (string, error) {
	if o.script != "" {
		text, err := os.ReadFile(o.script)
		if err != nil {
			return "", fmt.Errorf("read the script: %w", err)
		}
		return string(text), nil
	}
	text, err := files.ReadFile("crawl.toml")
	if err != nil || !o.queue {
		return string(text), err
	}
	queue, err := files.ReadFile("queue.toml")
	if err != nil {
		return "", err
	}
	return withQueue(string(text), string(queue))
}

// withQueue is a script with the stages of queue in the place of its frontier. fetch then tells
// nobody what it learned of the hosts.
func withQueue(script, queue string) (string, error) {
	from, to := strings.Index(script, "[stage.frontier]"), strings.Index(script, "[stage.resolve]")
	if from < 0 || to < from {
		return "", errors.New("crawl.toml has no frontier in front of resolve")
	}
	silent := strings.NewReplacer(`, "visits"]`, "]", " -visits {visits}", "")
	return silent.Replace(script[:from] + queue + script[to:]), nil
}

// times sets the variables of the script that are times of the crawl: how long it leaves a host
// alone, and how long it waits for one.
func (o *options) times() (vars []string) {
	if o.faster == 1 {
		return nil
	}
	for name, usual := range map[string]time.Duration{"delay": time.Second, "for": time.Minute,
		"quiet": 10 * time.Second, "answer": 30 * time.Second, "page": 2 * time.Minute, "slowest": 30 * time.Second,
		"robots": 20 * time.Second} {
		vars = append(vars, "-var", fmt.Sprintf("%s=%v", name, (usual/time.Duration(o.faster)).Round(time.Millisecond)))
	}
	return vars
}
