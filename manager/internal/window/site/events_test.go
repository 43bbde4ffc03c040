package site

import (
	"bufio"
	"context"
	"encoding/json"
	"html/template"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/window/page"
	"multitext/txlog"
)

// at asks for any address.
func (w *world) at(t *testing.T, at string) string {
	t.Helper()
	answer := httptest.NewRecorder()
	w.site.ServeHTTP(answer, httptest.NewRequest("GET", at, nil))
	return answer.Body.String()
}

// parts lists the parts of a page with their sums, as live.js does.
func parts(page string) (list string) {
	part := regexp.MustCompile(`<div class="part" id="([\w-]+)" data-sum="(\w+)">`)
	for _, m := range part.FindAllStringSubmatch(page, -1) {
		list += "," + m[1] + "." + m[2]
	}
	return strings.TrimPrefix(list, ",")
}

// serve serves the site, without pauses that depend on the processor.
func (w *world) serve() (address string) {
	w.site.feeds.throttle = newThrottle(func() spent { return spent{} })
	server := httptest.NewServer(w.site)
	w.Cleanup(server.Close)
	return server.URL
}

// A stream is a live connection of a browser.
type stream struct {
	testing.TB
	lines *bufio.Scanner
	end   func()
}

// live connects to a site.
func (w *world) live(server, page, parts string) *stream {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	at := server + "/events?" + url.Values{"page": {page}, "parts": {parts}}.Encode()
	r, err := http.NewRequestWithContext(ctx, "GET", at, nil)
	w.must(err)
	answer, err := http.DefaultClient.Do(r)
	w.must(err)
	end := func() { cancel(); answer.Body.Close() }
	w.Cleanup(end)
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode == 200 && kind != "text/event-stream" {
		w.Fatalf("the type is %s", kind)
	}
	if answer.StatusCode != 200 {
		end()
		return nil
	}
	return &stream{w.TB, bufio.NewScanner(answer.Body), end}
}

// next reads an event: its name or the part's id, and its HTML.
func (s *stream) next() (id, html string) {
	s.Helper()
	for s.lines.Scan() {
		if name, ok := strings.CutPrefix(s.lines.Text(), "event: "); ok {
			return name, ""
		}
		if data, ok := strings.CutPrefix(s.lines.Text(), "data: "); ok {
			var message struct{ ID, HTML string }
			if err := json.Unmarshal([]byte(data), &message); err != nil {
				s.Fatal(err)
			}
			return message.ID, message.HTML
		}
	}
	s.Fatalf("the stream has ended: %v", s.lines.Err())
	return "", ""
}

// TestOnlyChangesAreSent: a browser gets the parts that it does not show yet, each once, and no
// part of a page that has other parts than the one that it shows.
func TestOnlyChangesAreSent(t *testing.T) {
	part := func(id, sum string) page.Part {
		return page.Part{ID: id, Sum: sum, HTML: template.HTML("<b>" + id + sum)}
	}
	answer := httptest.NewRecorder()
	e := &connection{ResponseWriter: answer, shown: shown("a.1,b.2")}
	for _, step := range []struct {
		parts []page.Part
		more  bool
		sent  []string
	}{
		{[]page.Part{part("a", "1"), part("b", "2")}, true, nil},
		{[]page.Part{part("a", "1"), part("b", "3")}, true, []string{`"id":"b","sum":"3"`}},
		{[]page.Part{part("a", "1"), part("b", "3")}, true, nil},
		{[]page.Part{part("a", "4"), part("b", "2")}, true, []string{`"id":"a","sum":"4"`, `"id":"b","sum":"2"`}},
		{[]page.Part{part("a", "4"), part("c", "2")}, false, []string{"event: gone"}},
		{[]page.Part{part("a", "4")}, false, []string{"event: gone"}},
		{nil, false, []string{"event: gone"}},
	} {
		answer.Body.Reset()
		p := &page.Page{Parts: step.parts}
		if step.parts == nil { // it has ended, and has other parts when it is loaded
			p.Parts, p.Still = []page.Part{part("a", "4"), part("b", "2")}, true
		}
		more := e.tell(p)
		text := answer.Body.String()
		if more != step.more || strings.Count(text, "data:") != len(step.sent) {
			t.Errorf("%v: more is %v, sent is %q", step.parts, more, text)
		}
		for _, want := range step.sent {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in %q", want, text)
			}
		}
	}
}

// TestLive: a page is followed by the parts that have changed since it was loaded. What is no page,
// or has other parts now, is not live.
func TestLive(t *testing.T) {
	w := newWorld(t)
	w.begin()
	a := w.commit("", nil, file{"a", "zst", "1\n"})
	server := w.serve()
	shown := w.at(t, "/c/it/")
	w.must(w.log.Append(commitOf(w, a)))
	s := w.live(server, "/c/it/", parts(shown))
	if id, html := s.next(); id != "now" || !strings.Contains(html, "nothing is left") {
		t.Errorf("the event is %s: %s", id, html)
	}
	if id, _ := w.live(server, "/c/it/", "now.0").next(); id != "gone" {
		t.Errorf("a page of an older program gets %s", id)
	}
	for _, at := range []string{"/events?page=/c/it/&parts=" + parts(w.at(t, "/c/it/")), "/c/it/status.json"} {
		if id, _ := w.live(server, at, parts(shown)).next(); id != "gone" {
			t.Errorf("%s is live: %s", at, id)
		}
	}
}

// TestLiveConnectionsAreBounded: one browser too many is refused, until another has gone.
func TestLiveConnectionsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.begin()
	w.site.open = make(chan struct{}, 1)
	server := w.serve()
	first := w.live(server, "/c/it/", strings.ReplaceAll(parts(w.at(t, "/c/it/")), ".", ".old"))
	first.next()
	if w.live(server, "/c/it/", "") != nil {
		t.Error("a second connection is live")
	}
	first.end()
	select {
	case w.site.open <- struct{}{}: // when the first has left
	case <-time.After(10 * time.Second):
		t.Error("a browser that has left still counts")
	}
}

// TestSiteEnds: the live connections end with the context of the site.
func TestSiteEnds(t *testing.T) {
	w := newWorld(t)
	w.begin()
	ctx, cancel := context.WithCancel(context.Background())
	var err error
	w.site, err = New(ctx, w.site.crawls)
	w.must(err)
	server := w.serve()
	s := w.live(server, "/c/it/", parts(w.at(t, "/c/it/")))
	cancel()
	for s.lines.Scan() {
	}
	if err := s.lines.Err(); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
}

// commitOf is a run that reads batches and drops their records.
func commitOf(w *world, inputs []txlog.Name) *txlog.Commit {
	c := &txlog.Commit{Tx: w.log.Number(), Stage: "one", Read: 1, Run: w.ran()}
	for _, name := range inputs {
		c.Inputs = append(c.Inputs, txlog.Input{Name: name, Records: 1, Gone: true})
	}
	return c
}
