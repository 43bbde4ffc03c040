package sets

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"multitext/examples/rigs/internal/web"
)

// fourClasses are those of the WebKB project's papers.
var fourClasses = []string{"course", "faculty", "project", "student"}

// WebKB is pages of three universities, which are the folds. Labels are the roles of pages, not
// topics. With four the pages of the three other classes are left out.
func WebKB(dir string, four bool) (*Set, error) {
	s := &Set{Name: "webkb-7", Web: &web.Web{}}
	if four {
		s.Name = "webkb-4"
	}
	bodies := make(map[string][]byte)
	err := Unpack(dir, "webkb", func(path string, body []byte) error {
		bodies[path] = body
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows := strings.Split(strings.TrimSpace(string(bodies["webkb/INDEX.tsv"])), "\n")
	number := make(map[string]int)
	for _, row := range rows[1:] {
		f := strings.Split(row, "\t")
		if len(f) != 4 || bodies[f[0]] == nil {
			return nil, fmt.Errorf("read the set webkb: its index has the line %q", row)
		}
		if four && !slices.Contains(fourClasses, f[2]) {
			continue
		}
		_, body, ok := bytes.Cut(bytes.ReplaceAll(bodies[f[0]], []byte("\r\n"), []byte("\n")), []byte("\n\n"))
		if !ok {
			body = bodies[f[0]]
		}
		s.Samples = append(s.Samples, Sample{Name: f[1], Label: f[2], Fold: f[3], Body: body, HTML: true})
		if u, err := url.Parse(f[1]); err == nil {
			number[plain(u)] = len(s.Samples) - 1
		}
	}
	s.Web.Pages = make([]web.Page, len(s.Samples))
	for i := range s.Samples {
		s.Web.Pages[i] = pageOf(&s.Samples[i], i, number)
	}
	return s, nil
}

// pageOf is sample i as a page; a link leads somewhere if number knows its target.
func pageOf(s *Sample, i int, number map[string]int) web.Page {
	p := web.Page{URL: s.Name, Group: s.Fold, Label: s.Label, Status: 200, Size: len(s.Body),
		Content: xxhash.Sum64(s.Body)}
	base, err := url.Parse(s.Name)
	if err != nil {
		return p
	}
	p.Host = strings.ToLower(base.Host)
	anchors(s.Body, base, func(target *url.URL, _ string) {
		if to, ok := number[plain(target)]; ok && to != i {
			p.Links = addOnce(p.Links, to)
		}
	})
	return p
}

// plain brings a URL into the form in which two are compared: host in lower case, no port 80, no
// empty path, no name of an index page, no fragment.
func plain(u *url.URL) string {
	path := u.EscapedPath()
	for _, index := range []string{"index.html", "index.htm"} {
		if strings.HasSuffix(path, "/"+index) {
			path = strings.TrimSuffix(path, index)
		}
	}
	if path == "" {
		path = "/"
	}
	text := u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), ":80") + path
	if u.RawQuery != "" {
		text += "?" + u.RawQuery
	}
	return text
}
