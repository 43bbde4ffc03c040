package sets

import (
	"net/url"
	"path"
	"strings"

	"multitext/examples/rigs/internal/web"
)

// Sites reads the pages of the set web, HTML files of 41 sites, a folder each, and the links between
// them. A link to a folder leads to its index.html. A file with another name than .html is no page.
func Sites(dir string) (*web.Web, error) {
	w, bodies, number := &web.Web{}, [][]byte(nil), map[string]int{}
	err := Unpack(dir, "web", func(name string, body []byte) error {
		if ending := path.Ext(name); ending == ".html" || ending == ".htm" {
			number[name] = len(w.Pages)
			host, _, _ := strings.Cut(name, "/")
			w.Pages = append(w.Pages, web.Page{URL: "https://" + name, Host: host, Group: host, Status: 200,
				Size: len(body)})
			bodies = append(bodies, body)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, body := range bodies {
		base, err := url.Parse(w.Pages[i].URL)
		if err != nil {
			continue // of a name that is no path of a URL
		}
		anchors(body, base, func(target *url.URL, _ string) {
			name := path.Join(target.Host, target.Path)
			to, ok := number[name]
			if !ok {
				to, ok = number[name+"/index.html"]
			}
			if ok && to != i {
				w.Pages[i].Links = addOnce(w.Pages[i].Links, to)
			}
		})
	}
	return w, nil
}
