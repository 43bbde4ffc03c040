package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/web"
)

// A served is a web that testweb has, and crawls of it.
type served struct {
	*advised.Folder
	bin     string // folder of the programs
	script  string
	address string
	web     *exec.Cmd
}

func newServed(l *lab, on *web.Web, seeds []uint32) (*served, error) {
	w := advised.Of(on)
	a, err := advised.New(l.bin, w, nil, [][]uint32{seeds})
	if err != nil {
		return nil, err
	}
	c := &served{Folder: a, bin: l.bin, script: l.script}
	for from, links := range w.Links {
		var text []byte
		for _, to := range links {
			text = append(w.URL(append(text, "<a href="...), to), ">x</a>\n"...)
		}
		file := a.Path(filepath.Join("web", on.Pages[from].Host, strconv.Itoa(from)+".html"))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, text, 0o666))
	}
	if err == nil {
		err = c.serve()
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("serve a web: %w", err)
	}
	return c, nil
}

// serve starts the web.
func (c *served) serve() error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.address = free.Addr().String()
	free.Close()
	c.web = exec.Command(filepath.Join(c.bin, "testweb"), "-listen", c.address, "-root", c.Path("web"))
	out, err := c.web.StdoutPipe()
	if err == nil {
		err = c.web.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	return err
}

func (c *served) close() {
	if c.web != nil && c.web.Process != nil {
		c.web.Process.Signal(syscall.SIGTERM)
		c.web.Wait()
	}
	c.Folder.Close()
}

// both crawls in an order, by the programs and by simulation.
func (c *served) both(order string, batch int) (real, simulated []uint32, err error) {
	dir := c.Path("crawl of " + order)
	script := filepath.Join(dir, "crawl.toml")
	text, errScript := os.ReadFile(c.script)
	seeds, errSeeds := os.ReadFile(c.Path(advised.SeedsFile(0)))
	if err := errors.Join(errScript, errSeeds, os.MkdirAll(dir, 0o777), os.WriteFile(script, text, 0o666),
		os.WriteFile(filepath.Join(dir, "seeds.txt"), seeds, 0o666)); err != nil {
		return nil, nil, fmt.Errorf("prepare a crawl: %w", err)
	}
	manager := filepath.Join(c.bin, "manager")
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
		page, err := advised.PageOf(url)
		if err != nil {
			return nil, nil, err
		}
		real = append(real, page)
	}
	t := advised.Trial{Batch: batch, Secret: filepath.Join(dir, "crawl/secret")}
	err = c.Run(t, []string{order}, []int{0}, func(_ int, _ string, c *advised.Crawl) {
		simulated = slices.Clone(c.Pages)
	})
	return real, simulated, err
}
