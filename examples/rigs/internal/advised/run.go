package advised

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A Trial is by what rules advise crawls.
type Trial struct {
	Batch    int    // pages that are fetched before their links are known
	PerHost  int    // URLs of a host in a batch at most; 0: any number
	Crawlers int    // that share the hosts; 0: one
	Most     int    // pages that a crawl fetches, up to the end of a batch; 0: all
	Exact    bool   // without classes
	Worths   string // the file of Folder.Judge that advise reads with the links; "": none
	Hubs     int    // with Worths: so many are followed; 0: none
	Secret   string // the file of a crawl that is simulated, whose pause is a millisecond; "": there is none
}

func (t *Trial) args() []string {
	args := []string{"-fetched", "-urls", strconv.Itoa(t.Batch), "-pages", strconv.Itoa(t.Most), "-crawlers",
		strconv.Itoa(max(t.Crawlers, 1))}
	switch {
	case t.Exact:
		args = append(args, "-exact")
	case t.PerHost > 0:
		args = append(args, "-delay", "1s", "-for", fmt.Sprintf("%d.5s", t.PerHost))
	case t.Secret != "":
		args = append(args, "-delay", "1ms")
	}
	return args
}

// Run has advise crawl in some orders from the seeds of some draws, at least one of each, and calls do with
// each crawl: the pages in the order in which they are fetched, which are valid until do returns.
func (f *Folder) Run(t Trial, orders []string, draws []int, do func(draw int, order string, pages []uint32)) error {
	var files []string
	for _, draw := range draws {
		files = append(files, SeedsFile(draw))
	}
	args := append(t.args(), "-order", strings.Join(orders, " "), "-seeds", strings.Join(files, ","), "links")
	if t.Worths != "" {
		args = append([]string{"-hubs", strconv.Itoa(t.Hubs)}, append(args, t.Worths)...)
	}
	cmd := exec.Command(f.program, args...)
	cmd.Dir, cmd.Stderr = f.name, os.Stderr
	if t.Secret != "" {
		cmd.Env = append(os.Environ(), "MT_SECRET="+t.Secret)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("%v: %w", cmd, err)
	}
	errRead := eachCrawl(out, draws[0], do)
	if errRead != nil {
		cmd.Process.Kill()
	}
	if err := errors.Join(errRead, cmd.Wait()); err != nil {
		return fmt.Errorf("%v: %w", cmd, err)
	}
	return nil
}

// eachCrawl reads what advise prints. Where there is one file of seeds alone, that of the draw only, it is
// not named.
func eachCrawl(out io.Reader, only int, do func(draw int, order string, pages []uint32)) error {
	lines, crawl, pages := bufio.NewScanner(out), "", []uint32(nil)
	draw, order := only, ""
	for lines.Scan(); lines.Scan(); { // the first has the names of the columns
		name, rest, _ := strings.Cut(lines.Text(), "\t")
		url, file, named := strings.Cut(rest, "\t")
		if now := name + "\t" + file; now != crawl {
			if crawl != "" {
				do(draw, order, pages)
			}
			crawl, order, pages = now, name, pages[:0]
			var err error
			if draw = only; named {
				draw, err = strconv.Atoi(strings.TrimPrefix(file, seedsFile))
			}
			if err != nil {
				return fmt.Errorf("it printed the line %q", lines.Text())
			}
		}
		page, err := PageOf(url)
		if err != nil {
			return err
		}
		pages = append(pages, page)
	}
	if crawl != "" {
		do(draw, order, pages)
	}
	return lines.Err()
}
