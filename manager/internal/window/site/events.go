package site

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"multitext/manager/internal/window/page"
)

// events sends the parts of a page that have changed, as server-sent events, until the browser
// leaves. The request names the page, and the parts that the browser shows with their sums. Each
// message is {"id": ID, "sum": SUM, "html": HTML}. The event gone says that the page has to be
// loaded again, because it has other parts now.
func (s *Site) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.open <- struct{}{}:
		defer func() { <-s.open }()
	default:
		http.Error(w, "Too many pages are live.", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	look := s.feeds.join(r.URL.Query().Get("page"))
	defer look.leave()
	c := &connection{ResponseWriter: w, shown: shown(r.URL.Query().Get("parts"))}
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	for out.Flush() == nil { // at first, so that the browser knows that the page is live
		p, ok := look.next(ctx)
		if !ok {
			return
		}
		if !c.tell(p) {
			out.Flush()
			return
		}
	}
}

// A seen is a part that a browser shows.
type seen struct{ id, sum string }

// shown reads a list ID.SUM,ID.SUM.
func shown(list string) (out []seen) {
	for _, text := range strings.Split(list, ",") {
		id, sum, _ := strings.Cut(text, ".")
		out = append(out, seen{id, sum})
	}
	return out
}

// A connection is that of one live page.
type connection struct {
	http.ResponseWriter
	shown []seen
}

// tell sends the parts that have changed. It returns false if nothing more is to be sent.
func (c *connection) tell(p *page.Page) bool {
	if !c.same(p) || p.Still { // a still page has other parts when it is loaded
		fmt.Fprint(c, "event: gone\ndata:\n\n")
		return false
	}
	for i, part := range p.Parts {
		if c.shown[i].sum == part.Sum {
			continue
		}
		text, err := json.Marshal(map[string]string{"id": part.ID, "sum": part.Sum, "html": string(part.HTML)})
		if err != nil {
			return false
		}
		if _, err := fmt.Fprintf(c, "data: %s\n\n", text); err != nil {
			return false
		}
		c.shown[i].sum = part.Sum
	}
	return true
}

// same reports whether a page has the parts that the browser shows. p is nil if there is no page.
func (c *connection) same(p *page.Page) bool {
	if p == nil || len(p.Parts) != len(c.shown) {
		return false
	}
	for i, part := range p.Parts {
		if part.ID != c.shown[i].id {
			return false
		}
	}
	return true
}

// again makes a page again. It returns nil if no page has this address.
func (s *Site) again(at string) *page.Page {
	kept := &kept{}
	r, err := http.NewRequestWithContext(context.WithValue(s.ctx, keep{}, kept), http.MethodGet, at, nil)
	if err != nil {
		return nil
	}
	s.live.ServeHTTP(httptest.NewRecorder(), r)
	return kept.page
}

// keep is the key of a *kept in the context of a request whose page is not sent but kept there.
type keep struct{}

type kept struct{ page *page.Page }
