package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"multitext/examples/rigs/internal/web"
)

// An adviser is a folder with the links of a Web, in the form in which extract writes them, and with
// seeds. A page is http://HOST/NUMBER.html; each has a link to itself, by which advise knows it.
type adviser struct {
	program string
	folder  string
}

// A trial is what advise is asked for.
type trial struct {
	orders   []string
	batch    int
	perHost  int // URLs of a host in a batch at most; 0: any number
	crawlers int // 0: one
	exact    bool
	secret   string // the file of a crawl that is simulated: its pause is a millisecond; "": there is none
}

func address(on *web.Web, page int) string {
	return fmt.Sprintf("http://%s/%d.html", on.Pages[page].Host, page)
}

// pageOf is the page of an address.
func pageOf(url string) (int, error) {
	page, err := strconv.Atoi(strings.TrimSuffix(url[strings.LastIndexByte(url, '/')+1:], ".html"))
	if err != nil {
		return 0, fmt.Errorf("%q is the URL of no page: %w", url, err)
	}
	return page, nil
}

func (l *lab) adviser(on *web.Web, seeds []int, scores []float64) (*adviser, error) {
	folder, err := os.MkdirTemp("", "orders-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for links: %w", err)
	}
	a := &adviser{filepath.Join(l.bin, "advise"), folder}
	url := func(page int) string { return address(on, page) }
	var links, begin bytes.Buffer
	for from := range on.Pages {
		own := ""
		if scores != nil {
			own = fmt.Sprintf("\tscore=%.6f", scores[from])
		}
		fmt.Fprintf(&links, "%s\tvia=%s%s\n", url(from), url(from), own)
	}
	for from := range on.Pages {
		for _, to := range on.Pages[from].Links {
			fmt.Fprintf(&links, "%s\tvia=%s\n", url(to), url(from))
		}
	}
	for _, seed := range seeds {
		fmt.Fprintln(&begin, url(seed))
	}
	err = errors.Join(os.WriteFile(a.path("links"), links.Bytes(), 0o666),
		os.WriteFile(a.path("seeds"), begin.Bytes(), 0o666))
	if err != nil {
		a.close()
		return nil, fmt.Errorf("write the links of a Web: %w", err)
	}
	return a, nil
}

func (a *adviser) path(name string) string { return filepath.Join(a.folder, name) }

func (a *adviser) close() { os.RemoveAll(a.folder) }

// crawls are the pages that each order of a trial fetches, in their order.
func (a *adviser) crawls(t trial) (map[string][]int, error) {
	args := []string{"-fetched", "-urls", strconv.Itoa(t.batch), "-order", strings.Join(t.orders, " "),
		"-seeds", a.path("seeds"), "-crawlers", strconv.Itoa(max(t.crawlers, 1))}
	if t.perHost > 0 {
		args = append(args, "-delay", "1s", "-for", fmt.Sprintf("%d.5s", t.perHost))
	}
	if t.exact {
		args = append(args, "-exact")
	}
	if t.secret != "" {
		args = append(args, "-delay", "1ms")
	}
	cmd := exec.Command(a.program, append(args, a.path("links"))...)
	if t.secret != "" {
		cmd.Env = append(os.Environ(), "MT_SECRET="+t.secret)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	all, lines := map[string][]int{}, bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan(); lines.Scan(); { // the first has the names of the columns
		order, url, _ := strings.Cut(lines.Text(), "\t")
		page, err := pageOf(url)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", cmd, err)
		}
		all[order] = append(all[order], page)
	}
	return all, lines.Err()
}

// together does things, as many at once as there are processors.
func together(things ...func() error) error {
	errs, free := make([]error, len(things)), make(chan bool, runtime.NumCPU())
	var all sync.WaitGroup
	for i, do := range things {
		all.Go(func() {
			free <- true
			errs[i] = do()
			<-free
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
