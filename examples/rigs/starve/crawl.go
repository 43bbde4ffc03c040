package main

import (
	"bufio"
	"context"
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

// crawlFor runs the manager for the time of a row, or until it ends, and says what the web has
// answered by then.
func (o *options) crawlFor(ctx context.Context, dir, web string) (c counted, err error) {
	args := append([]string{"run", "-var", "web=" + web}, o.times()...)
	manager := exec.Command(filepath.Join(o.bin, "manager"), append(args, filepath.Join(dir, "crawl.toml"))...)
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
	endNow(manager, ended)
	return c, err
}

// endNow ends a crawl, with the runs that are under way: those are ended by the second signal.
func endNow(manager *exec.Cmd, ended <-chan error) {
	for {
		manager.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
			return
		case <-time.After(time.Second):
		}
	}
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
