package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/web"
)

// An adviser is a folder with the links of a Web, in the form in which extract writes them, and with
// seeds. A page is http://HOST/NUMBER; each has a link to itself, by which advise knows it.
type adviser struct {
	program string
	folder  string
}

// A curve is the share of the wanted pages, in per cent, that an order has found when 0, 1, … 100 %
// of the pages are fetched.
type curve struct {
	hottest float64
	order   string
	found   []float64
}

type curves []curve

func (l *lab) adviser(on *web.Web, seeds []int) (*adviser, error) {
	folder, err := os.MkdirTemp("", "study-orders-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for links: %w", err)
	}
	a := &adviser{filepath.Join(l.bin, "advise"), folder}
	url := func(page int) string { return fmt.Sprintf("http://%s/%d", on.Pages[page].Host, page) }
	var links, begin strings.Builder
	for from := range on.Pages {
		for _, to := range append([]int{from}, on.Pages[from].Links...) {
			fmt.Fprintf(&links, "%s\tvia=%s\n", url(to), url(from))
		}
	}
	for _, seed := range seeds {
		fmt.Fprintln(&begin, url(seed))
	}
	err = errors.Join(os.WriteFile(a.path("links"), []byte(links.String()), 0o666),
		os.WriteFile(a.path("seeds"), []byte(begin.String()), 0o666))
	if err != nil {
		a.close()
		return nil, fmt.Errorf("write the links of a Web: %w", err)
	}
	return a, nil
}

func (a *adviser) path(name string) string { return filepath.Join(a.folder, name) }

func (a *adviser) close() { os.RemoveAll(a.folder) }

// curves are those of all orders, for each share of the hottest pages.
func (a *adviser) curves(batch int, hottest []float64) (all curves, err error) {
	var shares []string
	for _, share := range hottest {
		shares = append(shares, fmt.Sprint(share))
	}
	cmd := exec.Command(a.program, "-tsv", "-urls", strconv.Itoa(batch), "-hottest", strings.Join(shares, ","), "-seeds",
		a.path("seeds"), a.path("links"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	for lines.Scan(); lines.Scan(); { // the first has the names of the columns
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("%v: it printed the line %q", cmd, lines.Text())
		}
		share, errShare := strconv.ParseFloat(f[0], 64)
		found, errFound := strconv.ParseFloat(f[3], 64)
		if err := errors.Join(errShare, errFound); err != nil {
			return nil, fmt.Errorf("%v: it printed the line %q: %w", cmd, lines.Text(), err)
		}
		if f[2] == "0" {
			all = append(all, curve{hottest: share, order: f[1]})
		}
		last := &all[len(all)-1]
		last.found = append(last.found, found)
	}
	return all, nil
}

// of are the curves of a share of the hottest pages.
func (all curves) of(hottest float64) (some curves) {
	for _, c := range all {
		if c.hottest == hottest {
			some = append(some, c)
		}
	}
	return some
}

// half is the first per cent of the crawl at which half of the wanted are found.
func (c *curve) half() int {
	for percent, found := range c.found {
		if found >= 50 {
			return percent
		}
	}
	return 100
}

// chart draws the curves of a share of the hottest pages.
func (all curves) chart(hottest float64, name, title string) *draw.Chart {
	chart := &draw.Chart{Name: name, Title: title, X: "fetched, % of what can be reached", Y: "found of the wanted, %"}
	for _, c := range all.of(hottest) {
		line := draw.Line{Name: c.order, Y: c.found}
		for percent := range c.found {
			line.X = append(line.X, float64(percent))
		}
		chart.Lines = append(chart.Lines, line)
	}
	return chart
}
