package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/orders/internal/synthetic"
)

// million shows which share of the hottest pages of a synthetic web each order finds in the first part
// of a crawl. All sets of seeds are crawled from in one run of advise, for it takes longer to read the
// links than to crawl once. Classes are left out (advise -exact), which the experiment batches has the
// price of: with them a crawl takes ten times as long.
func million(l *lab, c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	p, err := synthetic.ReadParameters()
	if err != nil {
		return err
	}
	for _, name := range l.Synthetic.Crawled {
		w, err := l.grown(&p, name)
		if err != nil {
			return err
		}
		found, err := l.foundIn(w)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = c.Over(l.Synthetic.Draws, l.Outside, func(set int, c *results.Chapter) error {
			c.Table(l.millionTable(name, found[set]))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// millionTable is that of one set of seeds: what each order has found at each point.
func (l *lab) millionTable(name string, found map[string][]float64) *draw.Table {
	t := &draw.Table{Name: "million-" + name,
		Title: fmt.Sprintf("Found of the hottest pages, %s: %d pages", name, l.Synthetic.Pages),
		Note: fmt.Sprintf("%d seeds, batches of %d pages, orders without classes. Found %% of the %g %% of all pages to "+
			"which most pages link, when so many per cent of all pages are fetched. Oracle: the order by these links.",
			l.Seeds, l.Synthetic.Batch, l.Priced),
		Columns: []string{"order"}}
	for _, point := range l.Synthetic.Points {
		t.Columns = append(t.Columns, fmt.Sprintf("at %g %%", point))
	}
	for _, order := range l.Synthetic.Orders {
		cells := []string{order}
		if order == "score" {
			cells[0] = "oracle"
		}
		for _, share := range found[order] {
			cells = append(cells, draw.Number(share, 1))
		}
		t.Add(cells...)
	}
	return t
}

// foundIn has advise crawl a web, and returns for each set of seeds what each order has found of the
// hottest pages at the points, in per cent.
func (l *lab) foundIn(w *synthetic.Web) (found []map[string][]float64, err error) {
	folder, err := os.MkdirTemp("", "orders-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for links: %w", err)
	}
	defer os.RemoveAll(folder)
	if err := l.writeSynthetic(w, folder); err != nil {
		return nil, fmt.Errorf("write the links of a web: %w", err)
	}
	var sets []string
	for set := range l.Synthetic.Draws {
		sets = append(sets, fmt.Sprint("seeds", set))
		found = append(found, map[string][]float64{})
	}
	program, err := filepath.Abs(filepath.Join(l.bin, "advise"))
	if err != nil {
		return nil, fmt.Errorf("find advise: %w", err)
	}
	points := l.Synthetic.Points
	cmd := exec.Command(program, "-fetched", "-exact", "-urls", strconv.Itoa(l.Synthetic.Batch), "-order",
		strings.Join(l.Synthetic.Orders, " "), "-pages", strconv.Itoa(l.pagesAt(points[len(points)-1])), "-seeds",
		strings.Join(sets, ","), "links")
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	err = l.count(out, l.hottest(w), func(set int, order string, share float64) {
		found[set][order] = append(found[set][order], share)
	})
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	return found, cmd.Wait()
}

func (l *lab) pagesAt(percent float64) int { return int(percent / 100 * float64(l.Synthetic.Pages)) }

// count reads what advise prints, and tells at each point of each crawl which share of the hottest was
// found, in per cent.
func (l *lab) count(out io.Reader, hottest []bool, at func(set int, order string, share float64)) error {
	all, lines := 0, bufio.NewScanner(out)
	for _, hot := range hottest {
		if hot {
			all++
		}
	}
	crawl, fetched, found, point := "", 0, 0, 0
	for lines.Scan(); lines.Scan(); { // the first has the names of the columns
		order, rest, _ := strings.Cut(lines.Text(), "\t")
		url, file, _ := strings.Cut(rest, "\t")
		set, errSet := strconv.Atoi(strings.TrimPrefix(file, "seeds"))
		page, err := strconv.Atoi(url[strings.LastIndexByte(url, '/')+1:])
		if err != nil || errSet != nil || page >= len(hottest) {
			return fmt.Errorf("it printed the line %q", lines.Text())
		}
		if now := order + file; now != crawl {
			crawl, fetched, found, point = now, 0, 0, 0
		}
		fetched++
		if hottest[page] {
			found++
		}
		if point < len(l.Synthetic.Points) && fetched == l.pagesAt(l.Synthetic.Points[point]) {
			at(set, order, 100*float64(found)/float64(all))
			point++
		}
	}
	return lines.Err()
}

// hottest are the pages to which most pages link; of equals those that a lot says.
func (l *lab) hottest(w *synthetic.Web) []bool {
	hot := make([]bool, len(w.Host))
	for _, page := range l.ordered(inDegrees(w))[:int(math.Ceil(l.Priced/100*float64(len(w.Host))))] {
		hot[page] = true
	}
	return hot
}

func inDegrees(w *synthetic.Web) []float64 {
	heat := make([]float64, len(w.Host))
	for page, n := range w.InDegree() {
		heat[page] = float64(n)
	}
	return heat
}

// writeSynthetic writes the links of a web, as adviser does, and sets of seeds.
func (l *lab) writeSynthetic(w *synthetic.Web, folder string) error {
	url := func(line []byte, page uint32) []byte {
		line = strconv.AppendUint(append(line, "http://h"...), uint64(w.Host[page]), 10)
		return strconv.AppendUint(append(line, ".test/"...), uint64(page), 10)
	}
	f, err := os.Create(filepath.Join(folder, "links"))
	if err != nil {
		return err
	}
	defer f.Close()
	b, scores, line := bufio.NewWriterSize(f, 1<<20), l.scores(inDegrees(w)), []byte(nil)
	for page := range uint32(len(w.Host)) {
		line = url(append(url(line[:0], page), "\tvia="...), page)
		b.Write(strconv.AppendFloat(append(line, "\tscore="...), scores[page], 'f', 6, 64))
		b.WriteByte('\n')
	}
	for from, links := range w.Links {
		for _, to := range links {
			line = url(append(url(line[:0], to), "\tvia="...), uint32(from))
			b.Write(append(line, '\n'))
		}
	}
	for set := range l.Synthetic.Draws {
		text, random := []byte(nil), results.Random(l.Seed, set, "seeds of synthetic webs")
		for range l.Seeds {
			text = append(url(text, uint32(random.IntN(len(w.Host)))), '\n')
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint("seeds", set)), text, 0o666); err != nil {
			return err
		}
	}
	return b.Flush()
}
