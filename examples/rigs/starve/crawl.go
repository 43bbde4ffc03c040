package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

//go:embed crawl.toml scope.txt
var files embed.FS

// counted is what the web has answered: URLs, each once.
type counted struct{ healthy, others int }

// crawl crawls the web of r in a new folder, which goes away after.
func (o *options) crawl(ctx context.Context, r row) (c counted, err error) {
	dir, err := os.MkdirTemp(o.dir, "starve-")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	if err := o.furnish(dir, r); err != nil {
		return c, err
	}
	web := exec.Command(filepath.Join(o.self, "testweb"), r.webFlags(o)...)
	out, err := web.StdoutPipe()
	if err != nil {
		return c, err
	}
	if err := web.Start(); err != nil {
		return c, fmt.Errorf("start the web: %w", err)
	}
	defer stop(web)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return c, fmt.Errorf("start the web: it ended before it answered: %w", err)
	}
	address = strings.TrimSpace(address)
	return o.crawlFor(ctx, dir, address)
}

// furnish puts the script and what it names into dir; the seeds are all front pages.
func (o *options) furnish(dir string, r row) error {
	if err := os.CopyFS(dir, files); err != nil {
		return fmt.Errorf("write the script: %w", err)
	}
	var seeds strings.Builder
	for i := range o.healthy + r.hostile(o.healthy) {
		fmt.Fprintf(&seeds, "http://h%03d.test/\n", i)
	}
	if err := os.WriteFile(filepath.Join(dir, "seeds.txt"), []byte(seeds.String()), 0o666); err != nil ||
		o.script == "" {
		return err
	}
	text, err := os.ReadFile(o.script)
	if err != nil {
		return fmt.Errorf("read the script: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, "crawl.toml"), text, 0o666)
}

// crawlFor runs the manager for the time of a row, or until it ends, and says what the web has
// answered by then.
func (o *options) crawlFor(ctx context.Context, dir, web string) (c counted, err error) {
	manager := exec.Command(filepath.Join(o.bin, "manager"), "run", "-var", "web="+web,
		filepath.Join(dir, "crawl.toml"))
	said := &strings.Builder{}
	manager.Stdout, manager.Stderr = said, said
	if err := manager.Start(); err != nil {
		return c, fmt.Errorf("start the crawl: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- manager.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return c, fmt.Errorf("the crawl ended early: %w; it said\n%s", err, said)
		}
		return ask(web) // there was nothing left
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(o.span):
		c, err = ask(web)
	}
	manager.Process.Signal(syscall.SIGTERM)
	<-ended
	return c, err
}

// stop ends the web and waits for it.
func stop(web *exec.Cmd) {
	web.Process.Signal(syscall.SIGTERM)
	web.Wait()
}

// healthyKinds are those of the answers of healthy hosts.
var healthyKinds = map[string]bool{"page": true, "duplicate": true, "redirect": true, "notfound": true, "nonhtml": true}

// ask asks the web what it has answered.
func ask(web string) (c counted, err error) {
	resp, err := http.Get("http://" + web + "/__stats")
	if err != nil {
		return c, fmt.Errorf("ask the web what it has answered: %w", err)
	}
	defer resp.Body.Close()
	var s struct {
		Kinds map[string]struct{ Distinct int }
	}
	if err := json.NewDecoder(resp.Body).Decode(&s); err != nil {
		return c, fmt.Errorf("read what the web has answered: %w", err)
	}
	for kind, n := range s.Kinds {
		switch {
		case healthyKinds[kind]:
			c.healthy += n.Distinct
		case kind != "robots.txt":
			c.others += n.Distinct
		}
	}
	return c, nil
}
