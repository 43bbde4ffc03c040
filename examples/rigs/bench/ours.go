package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// script is what multitext crawls by.
//
//go:embed crawl.toml seeds.txt scope.txt
var script embed.FS

// ours is multitext, its programs in bin. source is a script's path, or "" for the one built in;
// vars are NAME=VALUE and take the place of what the script says.
func ours(name, bin, source string, vars ...string) *crawler {
	manager := filepath.Join(bin, "manager")
	return &crawler{
		name: name, archives: true,
		command: func(dir, web string) []string {
			words := []string{manager, "run", "-var", "web=" + web}
			for _, v := range vars {
				words = append(words, "-var", v)
			}
			return append(words, filepath.Join(dir, "crawl.toml"))
		},
		before: func(dir string) error { return copyScript(dir, source) },
		after:  func(dir string) (*crawl, error) { return readStatus(manager, filepath.Join(dir, "crawl.toml")) },
	}
}

// copyScript puts the script and the files beside it into dir, the script as crawl.toml.
func copyScript(dir, source string) error {
	if source == "" {
		return os.CopyFS(dir, script)
	}
	for _, name := range []string{"seeds.txt", "scope.txt"} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(source), name))
		if err != nil {
			return fmt.Errorf("read what belongs to the script: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return fmt.Errorf("read the script: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, "crawl.toml"), text, 0o666)
}

// readStatus asks the manager what a crawl took.
func readStatus(manager, script string) (*crawl, error) {
	out, err := exec.Command(manager, "status", "-json", script).Output()
	if err != nil {
		return nil, fmt.Errorf("ask the manager what the crawl took: %w", err)
	}
	c := &crawl{}
	if err := json.Unmarshal(out, c); err != nil {
		return nil, fmt.Errorf("read what the crawl took: %w", err)
	}
	return c, nil
}

// addManager adds the manager as the last stage: what remains of all the time taken.
func (c *crawl) addManager(cpu float64) {
	for _, s := range c.Stages {
		cpu -= s.CPU
	}
	c.Stages = append(c.Stages, stage{Name: "manager", Runs: 1, CPU: cpu})
}
