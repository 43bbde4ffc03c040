// Package site answers the requests for the pages of window.
//
// Each page of a crawl is a function from the state of the crawl to the parts of the page. The
// table of pages is in routes. A page is sent whole, and while somebody looks at it, the function
// is called again and the parts that have changed are sent (events.go).
package site

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/crawls"
	"multitext/manager/internal/window/metrics"
	"multitext/manager/internal/window/page"
)

// A Site has the pages of some crawls.
type Site struct {
	ctx    context.Context // its end ends the live connections
	crawls []*crawls.Crawl
	pages  *page.Set
	mux    *http.ServeMux
	live   *http.ServeMux // of these the pages that are kept up to date
	feeds  *feeds
	open   chan struct{} // has an element for each live connection
	slots  slots
}

// slots have an element for each answer that costs much and is being made.
type slots struct{ reports, finds, files chan struct{} }

// mostFiles is how many files are decompressed at the same time; each may need 32 MB for that.
const mostFiles = 4

// mostLive is the maximum number of live connections.
const mostLive = 64

// New returns the site of some crawls. The live connections end with the context.
func New(ctx context.Context, all []*crawls.Crawl) (*Site, error) {
	pages, err := page.New()
	if err != nil {
		return nil, err
	}
	s := &Site{ctx: ctx, crawls: all, pages: pages, mux: http.NewServeMux(), live: http.NewServeMux(),
		open:  make(chan struct{}, mostLive),
		slots: slots{make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, mostFiles)}}
	s.feeds = newFeeds(newThrottle(processorTime), s.again)
	s.routes()
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mux.ServeHTTP(&timely{w, writeWithin}, r)
}

// A look is what a page is made of: the crawl at this moment, and what was asked for.
type look struct {
	*http.Request
	crawl *crawls.Crawl
	Base  string // the address of its overview, with a slash at its end
	*view.Crawl
	Past   *past.Past
	pages  *page.Set
	queues []string                 // the names of all; see known
	sent   *page.Page               // what is made
	rest   func(*[]page.Part) error // makes the slow parts of a page that is not live, after With has returned; or nil
}

// A contents function makes the parts of a page. It returns its title, without the crawl's name.
type contents func(*look) (title string, parts []page.Part, err error)

// routes is the table of all addresses.
func (s *Site) routes() {
	s.mux.Handle("/", s.live)
	s.live.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, notFound("No page has this address."))
	})
	s.live.HandleFunc("/{$}", s.first)
	for at, make := range s.contents() {
		s.live.HandleFunc("/c/{crawl}/"+at, func(w http.ResponseWriter, r *http.Request) { s.send(w, r, make) })
	}
	for at, costly := range s.costly() {
		s.mux.HandleFunc("/c/{crawl}/"+at, atMost(costly.slots, func(w http.ResponseWriter, r *http.Request) {
			s.send(w, r, costly.make)
		}))
	}
	for _, name := range []string{"style.css", "live.js", "icon.svg"} {
		s.mux.HandleFunc("/"+name, page.File(name))
	}
	s.mux.HandleFunc("/flow.css", style)
	s.mux.HandleFunc("/events", s.events)
	s.mux.Handle("/metrics", metrics.Handler(s.crawls))
	s.mux.HandleFunc("/c/{crawl}/raw/{queue}/{file...}", atMost(s.slots.files, s.raw))
	s.mux.HandleFunc("/c/{crawl}/download/{queue}/{file...}", s.download)
	s.mux.HandleFunc("/c/{crawl}/status.json", s.status)
	s.mux.HandleFunc("/c/{crawl}/chart/stage/{stage}/{line}", s.chart)
	s.mux.HandleFunc("/c/{crawl}/report", atMost(s.slots.reports, s.report))
}

// contents are the live pages of a crawl, by the rest of their address.
func (s *Site) contents() map[string]contents {
	return map[string]contents{
		"{$}":           overview,
		"flow":          flowPage,
		"stage/{stage}": stagePage,
		"tx":            txsPage,
		"tx/{tx}":       txPage,
		"queues":        queuesPage,
		"queue/{queue}": queuePage,
		"products":      productsPage,
	}
}

// A costly page costs so much that few are made at the same time. It is not live.
type costly struct {
	slots chan struct{}
	make  contents
}

// costly are the other pages of a crawl.
func (s *Site) costly() map[string]costly {
	return map[string]costly{
		"batch/{queue}/{file...}": {s.slots.files, batchPage},
		"find":                    {s.slots.finds, findPage},
	}
}

// A notFound is the error that something that an address names does not exist.
type notFound string

func (n notFound) Error() string { return string(n) }

// crawl returns the crawl with a name.
func (s *Site) crawl(name string) (*crawls.Crawl, error) {
	if i := slices.IndexFunc(s.crawls, func(c *crawls.Crawl) bool { return c.Name == name }); i >= 0 {
		return s.crawls[i], nil
	}
	return nil, notFound("There is no crawl of this name.")
}

// make returns the page that a request asks for.
func (s *Site) make(r *http.Request, parts contents) (*page.Page, error) {
	c, err := s.crawl(r.PathValue("crawl"))
	if err != nil {
		return nil, err
	}
	p := &page.Page{Crawl: c.Name, Base: "/c/" + c.Name + "/", At: r.URL.RequestURI()}
	l := &look{Request: r, crawl: c, Base: p.Base, pages: s.pages, sent: p}
	err = c.With(func(v *view.Crawl, past *past.Past) error {
		l.Crawl, l.Past = v, past
		p.Title, p.Parts, err = parts(l)
		return err
	})
	if live := r.Context().Value(keep{}) != nil; err == nil && l.rest != nil && !live {
		err = l.rest(&p.Parts)
	}
	p.Title = strings.Trim(p.Title+" · "+c.Name, " ·")
	return p, err
}

// send answers with a page.
func (s *Site) send(w http.ResponseWriter, r *http.Request, parts contents) {
	p, err := s.make(r, parts)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.write(w, r, http.StatusOK, p)
}

// write sends a page, or keeps it for a live connection.
func (s *Site) write(w http.ResponseWriter, r *http.Request, status int, p *page.Page) {
	if k, ok := r.Context().Value(keep{}).(*kept); ok {
		k.page = p
		return
	}
	var b bytes.Buffer
	if err := s.pages.Write(&b, p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

// fail answers with a page that tells an error, for instance that a log is damaged.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, failure error) {
	status, title := http.StatusInternalServerError, "This cannot be shown"
	if absent := notFound(""); errors.As(failure, &absent) {
		status, title = http.StatusNotFound, "There is no such page"
	}
	p := &page.Page{Title: title, At: r.URL.RequestURI()}
	if c, err := s.crawl(r.PathValue("crawl")); err == nil {
		p.Crawl, p.Base = c.Name, "/c/"+c.Name+"/"
	}
	data := map[string]any{"Title": title, "Error": failure.Error(), "Now": time.Now()}
	part, err := s.pages.Part("error", "error", data)
	if err != nil {
		http.Error(w, err.Error(), status)
		return
	}
	p.Parts = []page.Part{part}
	s.write(w, r, status, p)
}

// part renders a part of the page.
func (l *look) part(parts *[]page.Part, id, template string, data any) error {
	p, err := l.pages.Part(id, template, data)
	*parts = append(*parts, p)
	return err
}
