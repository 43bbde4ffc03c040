package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"multitext/examples/rigs/internal/advised"
	site "multitext/examples/rigs/internal/served"
	"multitext/examples/rigs/internal/web"
)

// A served is a web that testweb has, and crawls of it.
type served struct {
	*advised.Folder
	bin    string // folder of the programs
	script string
	site   *site.Site
}

func newServed(l *lab, on *web.Web, seeds []uint32) (*served, error) {
	a, err := advised.New(l.bin, advised.Of(on), nil, [][]uint32{seeds})
	if err != nil {
		return nil, err
	}
	answering, err := site.Start(l.bin, a.Path("web"), on)
	if err != nil {
		a.Close()
		return nil, err
	}
	return &served{a, l.bin, l.script, answering}, nil
}

func (c *served) close() error {
	defer c.Folder.Close()
	return c.site.Close()
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
	cmd := exec.Command(manager, "run", "-var", "web="+c.site.Address, "-var", "order="+order,
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
