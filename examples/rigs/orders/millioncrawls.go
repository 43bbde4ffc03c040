package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/orders/internal/synthetic"
)

// foundIn has advise crawl a web, and returns for each set of seeds what each order has found of the
// hottest pages at the points, in per cent. The sets are dealt out to as many runs as there are
// processors.
func (l *lab) foundIn(w *synthetic.Web) ([]map[string][]float64, error) {
	folder, err := os.MkdirTemp("", "orders-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for links: %w", err)
	}
	defer os.RemoveAll(folder)
	if err := l.writeSynthetic(w, folder); err != nil {
		return nil, fmt.Errorf("write the links of a web: %w", err)
	}
	found, hottest := make([]map[string][]float64, l.Synthetic.Draws), l.hottest(w)
	parts, things := make([][]int, min(runtime.NumCPU(), l.Synthetic.Draws)), []func() error(nil)
	for set := range found {
		found[set] = map[string][]float64{}
		parts[set%len(parts)] = append(parts[set%len(parts)], set)
	}
	for _, sets := range parts {
		things = append(things, func() error {
			return l.crawlFrom(folder, sets, hottest, func(set int, order string, share float64) {
				found[set][order] = append(found[set][order], share)
			})
		})
	}
	return found, together(things...)
}

// crawlFrom has advise crawl the web of a folder from some sets of seeds; at is as in count.
func (l *lab) crawlFrom(folder string, sets []int, hottest []bool, at func(int, string, float64)) error {
	program, err := filepath.Abs(filepath.Join(l.bin, "advise"))
	if err != nil {
		return fmt.Errorf("find advise: %w", err)
	}
	var files []string
	for _, set := range sets {
		files = append(files, fmt.Sprint("seeds", set))
	}
	points := l.Synthetic.Points
	cmd := exec.Command(program, "-fetched", "-exact", "-urls", strconv.Itoa(l.Synthetic.Batch), "-order",
		strings.Join(l.Synthetic.Orders, " "), "-pages", strconv.Itoa(l.pagesAt(points[len(points)-1])), "-seeds",
		strings.Join(files, ","), "links")
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("%v: %w", cmd, err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%v: %w", cmd, err)
	}
	if err := l.count(out, files[0], hottest, at); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return fmt.Errorf("%v: %w", cmd, err)
	}
	return cmd.Wait()
}

func (l *lab) pagesAt(percent float64) int { return int(percent / 100 * float64(l.Synthetic.Pages)) }

// count reads what advise prints, and tells at each point of each crawl which share of the hottest was
// found, in per cent. Where there is one file of seeds alone, only, advise does not name it.
func (l *lab) count(out io.Reader, only string, hottest []bool, at func(set int, order string, share float64)) error {
	all, lines := 0, bufio.NewScanner(out)
	for _, hot := range hottest {
		if hot {
			all++
		}
	}
	crawl, fetched, found, point := "", 0, 0, 0
	for lines.Scan(); lines.Scan(); { // the first has the names of the columns
		order, rest, _ := strings.Cut(lines.Text(), "\t")
		url, file, ok := strings.Cut(rest, "\t")
		if !ok {
			file = only
		}
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
