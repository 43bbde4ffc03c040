package site

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"multitext/manager/internal/window/page"
)

// writeWithin is the time in which a browser must take an event.
const writeWithin = 10 * time.Second

// live sends the parts of a page that have changed, as server-sent events, until the browser
// leaves. Each message is {"id": ID, "html": HTML}. The event gone says that the page has to be
// loaded again: it has other parts now, or cannot be shown.
func (s *Site) live(w http.ResponseWriter, r *http.Request) {
	select {
	case s.open <- struct{}{}:
		defer func() { <-s.open }()
	default:
		http.Error(w, "Too many pages are live.", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer context.AfterFunc(s.ctx, cancel)()
	defer cancel()
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	e := &events{site: s, w: w, at: r.URL.Query().Get("page"), ids: r.URL.Query().Get("parts"),
		shown: map[string]template.HTML{}}
	for ctx.Err() == nil && s.pace.do(ctx, func() { e.look(ctx) }) {
		out.SetWriteDeadline(time.Now().Add(writeWithin))
		if !e.tell() || out.Flush() != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(leastPause):
		}
	}
}

// events are the live connection of one page.
type events struct {
	site  *Site
	w     http.ResponseWriter
	at    string // the address of the page
	ids   string // of the parts that the browser shows, with commas
	page  *page.Page
	shown map[string]template.HTML
}

// look makes the page anew.
func (e *events) look(ctx context.Context) {
	caught := &caught{}
	r, err := http.NewRequestWithContext(context.WithValue(ctx, catch{}, caught), http.MethodGet, e.at, nil)
	if err == nil {
		e.site.mux.ServeHTTP(httptest.NewRecorder(), r)
	}
	e.page = caught.page
}

// tell sends the parts that have changed. It returns false if nothing more is to be sent.
func (e *events) tell() bool {
	var ids []string
	if e.page != nil {
		for _, part := range e.page.Parts {
			ids = append(ids, part.ID)
		}
	}
	if strings.Join(ids, ",") != e.ids {
		fmt.Fprint(e.w, "event: gone\ndata:\n\n")
		return false
	}
	for _, part := range e.page.Parts {
		if e.shown[part.ID] == part.HTML {
			continue
		}
		text, err := json.Marshal(map[string]string{"id": part.ID, "html": string(part.HTML)})
		if err != nil {
			return false
		}
		if _, err := fmt.Fprintf(e.w, "data: %s\n\n", text); err != nil {
			return false
		}
		e.shown[part.ID] = part.HTML
	}
	return true
}

// catch is the key of a *caught in the context of a request whose page is not sent but kept there.
type catch struct{}

type caught struct{ page *page.Page }
