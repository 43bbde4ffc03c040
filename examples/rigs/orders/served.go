package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// crawls are those of a web that testweb has.
type crawls struct {
	*adviser
	script  string
	address string
	web     *exec.Cmd
}

func newCrawls(l *lab, on named, seeds []int) (*crawls, error) {
	a, err := l.adviser(on.Web, seeds, nil)
	if err != nil {
		return nil, err
	}
	c := &crawls{adviser: a, script: l.script}
	for from := range on.Pages {
		var text bytes.Buffer
		for _, to := range on.Pages[from].Links {
			fmt.Fprintf(&text, "<a href=%s>x</a>\n", address(on.Web, to))
		}
		file := a.path(filepath.Join("web", on.Pages[from].Host, strconv.Itoa(from)+".html"))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, text.Bytes(), 0o666))
	}
	if err == nil {
		err = c.serve(l.bin)
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("serve a web: %w", err)
	}
	return c, nil
}

// serve starts the web.
func (c *crawls) serve(bin string) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.address = free.Addr().String()
	free.Close()
	c.web = exec.Command(filepath.Join(bin, "testweb"), "-listen", c.address, "-root", c.path("web"))
	out, err := c.web.StdoutPipe()
	if err == nil {
		err = c.web.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	return err
}

func (c *crawls) close() {
	if c.web != nil && c.web.Process != nil {
		c.web.Process.Signal(syscall.SIGTERM)
		c.web.Wait()
	}
	c.adviser.close()
}

// both crawls in an order, by the programs and by simulation.
func (c *crawls) both(order string, batch int) (real, simulated []int, err error) {
	dir := c.path("crawl of " + order)
	script := filepath.Join(dir, "crawl.toml")
	text, errScript := os.ReadFile(c.script)
	seeds, errSeeds := os.ReadFile(c.path("seeds"))
	if err := errors.Join(errScript, errSeeds, os.MkdirAll(dir, 0o777), os.WriteFile(script, text, 0o666),
		os.WriteFile(filepath.Join(dir, "seeds.txt"), seeds, 0o666)); err != nil {
		return nil, nil, fmt.Errorf("prepare a crawl: %w", err)
	}
	manager := filepath.Join(filepath.Dir(c.program), "manager")
	cmd := exec.Command(manager, "run", "-var", "web="+c.address, "-var", "order="+order,
		"-var", fmt.Sprintf("urls=%d", batch), script)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("%v: %w: it said %s", cmd, err, said)
	}
	files, err := filepath.Glob(filepath.Join(dir, "crawl/frontier/*"))
	if err != nil || len(files) == 0 {
		return nil, nil, fmt.Errorf("the crawl in %s has no batches: %w", dir, err)
	}
	cmd = exec.Command(manager, append([]string{"cat"}, files...)...)
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("manager cat: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		url, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		page, err := pageOf(url)
		if err != nil {
			return nil, nil, err
		}
		real = append(real, page)
	}
	secret := filepath.Join(dir, "crawl/secret")
	all, err := c.adviser.crawls(trial{orders: []string{order}, batch: batch, secret: secret})
	return real, all[order], err
}
