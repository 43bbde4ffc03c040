package sets

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"multitext/examples/rigs/internal/web"
)

// Law is 16 titles of a code of laws as its site serves them: 16,282 sections and 2,388 pages that
// list them. Pages that hold a whole chapter at once are left out: they say all a second time.
type Law struct {
	Set            // Web has all links, those of the navigation too
	Cited *web.Web // the same pages with the citations alone: links from section to section that an author set
	Whole []Sample // as Samples, but with all of the page; those have what stands within <main>
}

// Section tells whether a page is one, by its URL. Only these are trained on and judged.
func Section(url string) bool { return strings.Contains(url, "/code/sections/") }

const lawSite = "https://code.dccouncil.us"

// Law16 reads the set law16.
func Law16(dir string) (*Law, error) {
	l := &Law{Set: Set{Name: "law16", Web: &web.Web{}}, Cited: &web.Web{}}
	err := Unpack(dir, l.Name, func(path string, body []byte) error {
		path = path[strings.Index(path, "/")+1:]
		if strings.HasSuffix(path, "/index.full.html") {
			return nil
		}
		url := lawSite + "/" + strings.TrimSuffix(strings.TrimSuffix(path, ".html"), "/index")
		label := lawTitle(url)
		if label == "" {
			return fmt.Errorf("no title is in the name")
		}
		fold := ""
		if Section(url) {
			fold = half(url)
		}
		l.Whole = append(l.Whole, Sample{Name: url, Label: label, Fold: fold, Body: body, HTML: true})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(l.Whole, func(a, b Sample) int { return strings.Compare(a.Name, b.Name) })
	return l, l.link()
}

// lawTitle is the label of a page: what stands before the first "-" or ":" of a section's name, the
// title of another.
func lawTitle(url string) string {
	if Section(url) {
		name := url[strings.LastIndex(url, "/")+1:]
		if end := strings.IndexAny(name, "-:"); end > 0 {
			return name[:end]
		}
		return ""
	}
	_, after, _ := strings.Cut(url, "/code/titles/")
	title, _, _ := strings.Cut(after, "/")
	return title
}

var chapterOf = regexp.MustCompile(`itemprop="full-html" content="([^"]*/chapters/[^/"]*)`)

// link makes the Webs of what was read.
func (l *Law) link() error {
	number := make(map[string]int, len(l.Whole))
	for i := range l.Whole {
		number[l.Whole[i].Name] = i
	}
	for i := range l.Whole {
		s := &l.Whole[i]
		base, err := url.Parse(s.Name)
		if err != nil {
			return fmt.Errorf("the name of a page: %w", err)
		}
		page := web.Page{URL: s.Name, Host: base.Host, Group: s.Label, Label: s.Label, Status: 200,
			Size: len(s.Body), Content: xxhash.Sum64(s.Body)}
		if m := chapterOf.FindSubmatch(s.Body); m != nil {
			page.Group = string(m[1])
		}
		cited := page
		anchors(s.Body, base, func(target *url.URL, class string) {
			to, ok := number[strings.TrimSuffix(target.String(), "/")]
			if !ok || to == i {
				return
			}
			page.Links = addOnce(page.Links, to)
			if slices.Contains(strings.Fields(class), "internal-link") && Section(s.Name) && Section(l.Whole[to].Name) {
				cited.Links = addOnce(cited.Links, to)
			}
		})
		l.Web.Pages, l.Cited.Pages = append(l.Web.Pages, page), append(l.Cited.Pages, cited)
		main := *s
		main.Body = mainOf(s.Body)
		l.Samples = append(l.Samples, main)
	}
	return nil
}

func addOnce(links []int, to int) []int {
	if slices.Contains(links, to) {
		return links
	}
	return append(links, to)
}

// mainOf is what stands between <main> and </main>; a page without them is returned whole.
func mainOf(page []byte) []byte {
	if _, after, ok := bytes.Cut(page, []byte("<main")); ok {
		if within, _, ok := bytes.Cut(after, []byte("</main>")); ok {
			return append([]byte("<main"), within...)
		}
	}
	return page
}

// Trained tells of each page whether a classifier learns from it: at most so many sections of each
// title, of the fold Train, the first by the hash of their URLs.
func (l *Law) Trained(most int) []bool {
	order := make([]int, 0, len(l.Samples))
	for i := range l.Samples {
		if l.Samples[i].Fold == Train {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Compare(xxhash.Sum64String(l.Samples[a].Name), xxhash.Sum64String(l.Samples[b].Name))
	})
	trained, of := make([]bool, len(l.Samples)), make(map[string]int)
	for _, i := range order {
		if label := l.Samples[i].Label; of[label] < most {
			of[label]++
			trained[i] = true
		}
	}
	return trained
}

// Sections is the sections of one of the Webs, and which of its pages each is.
func (l *Law) Sections(of *web.Web) (sections *web.Web, pages []int) {
	for i := range of.Pages {
		if l.Samples[i].Fold != "" {
			pages = append(pages, i)
		}
	}
	return of.Part(pages), pages
}
