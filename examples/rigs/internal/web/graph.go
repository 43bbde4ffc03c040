package web

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// longestLine bounds a line of a graph: a page and all its links.
const longestLine = 1 << 20

// ReadGraph reads what testweb -links prints: a line for each page, of URL, status (0: no answer),
// kind, topic, language and, with blanks between, the URLs it links. Labels are the topics. A
// page's content is its own, and its size is not told: 1. Links to what is no page, and to the page
// itself, are left out.
func ReadGraph(r io.Reader) (*Web, error) {
	w := &Web{}
	var targets [][]string
	number := make(map[string]int)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 6 {
			return nil, fmt.Errorf("read a graph: a line of %d fields, not 6: %.100q", len(f), lines.Text())
		}
		u, err := url.Parse(f[0])
		if err != nil {
			return nil, fmt.Errorf("read a graph: %w", err)
		}
		status, err := strconv.Atoi(f[1])
		if err != nil {
			return nil, fmt.Errorf("read a graph: the status of %s: %w", f[0], err)
		}
		number[f[0]] = len(w.Pages)
		w.Pages = append(w.Pages, Page{URL: f[0], Host: u.Host, Group: u.Host, Label: f[3], Kind: f[2], Status: status,
			Size: 1, Content: xxhash.Sum64String(f[0])})
		targets = append(targets, strings.Fields(f[5]))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read a graph: %w", err)
	}
	for i := range w.Pages {
		met := map[int]bool{i: true}
		for _, target := range targets[i] {
			if to, ok := number[target]; ok && !met[to] {
				met[to] = true
				w.Pages[i].Links = append(w.Pages[i].Links, to)
			}
		}
	}
	return w, nil
}
