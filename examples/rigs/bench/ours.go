package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// built is what multitext crawls by: crawl.toml, and tail.toml with -tail.
//
//go:embed crawl.toml tail.toml seeds.txt scope.txt
var built embed.FS

// ours is multitext, its programs in bin. script is the path of a script, its seeds and scope beside it, or
// "" for the one of bench that is called own.
func ours(name, bin, script, own string) *crawler {
	manager := filepath.Join(bin, "manager")
	return &crawler{
		name: name, archives: true,
		command: func(dir, web string) []string {
			return []string{manager, "run", "-var", "web=" + web, filepath.Join(dir, "crawl.toml")}
		},
		before: func(dir string) error { return copyScript(dir, script, own) },
		after:  func(dir string) (*crawl, error) { return readStatus(manager, filepath.Join(dir, "crawl.toml")) },
	}
}

// copyScript puts a script and the files beside it into dir, the script as crawl.toml.
func copyScript(dir, script, own string) error {
	from, name := fs.FS(built), own
	if script != "" {
		from, name = os.DirFS(filepath.Dir(script)), filepath.Base(script)
	}
	for as, name := range map[string]string{"crawl.toml": name, "seeds.txt": "seeds.txt", "scope.txt": "scope.txt"} {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return fmt.Errorf("read the script and what belongs to it: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, as), text, 0o666); err != nil {
			return err
		}
	}
	return nil
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
