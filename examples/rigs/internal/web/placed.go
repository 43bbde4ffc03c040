package web

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Placed is the Web with a host for each place, in the order in which pages have them: s0.test,
// s1.test, …
func (w *Web) Placed(place func(*Page) string) *Web {
	other, number := &Web{Pages: slices.Clone(w.Pages)}, map[string]int{}
	for i := range other.Pages {
		p := &other.Pages[i]
		at := place(p)
		n, ok := number[at]
		if !ok {
			n = len(number)
			number[at] = n
		}
		p.Host = fmt.Sprintf("s%d.test", n)
	}
	return other
}

// Host is a place: the page's host.
func Host(p *Page) string { return p.Host }

// Group is a place: the page's group.
func Group(p *Page) string { return p.Group }

// Folder is a place: the page's host, and the first two folders of its path.
func Folder(p *Page) string {
	path := ""
	if u, err := url.Parse(p.URL); err == nil {
		path = u.Path
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	return p.Host + "/" + strings.Join(parts[:min(2, len(parts)-1)], "/")
}
