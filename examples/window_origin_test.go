package examples

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// attack is a page that tries everything it can to read or change what is at the origin BASE, and
// keeps what it got in window.got.
const attack = `<!DOCTYPE html><title>attack</title><body><script>
const base = "BASE", paths = PATHS, got = [];
const timed = (ms, p) => Promise.race([p, new Promise(r => setTimeout(r, ms))]);
(async () => {
  for (const path of paths) {
    for (const mode of ["cors", "no-cors"]) for (const credentials of ["omit", "include"])
      try {
        const r = await fetch(base + path, {mode, credentials}), text = await r.text();
        if (r.ok) got.push("fetch " + path + ": " + text.length + " characters");
      } catch {}
    await timed(3000, new Promise(done => {
      const f = document.createElement("iframe");
      f.onload = () => {
        try { if (f.contentDocument.body.innerText.includes("merge")) got.push("frame " + path) } catch {}
        done();
      };
      f.src = base + path; document.body.append(f);
    }));
    for (const [tag, attribute] of [["img", "src"], ["script", "src"], ["link", "href"]])
      await timed(3000, new Promise(done => {
        const e = document.createElement(tag);
        e.rel = "stylesheet"; e.onload = () => { got.push(tag + " " + path); done() }; e.onerror = done;
        e[attribute] = base + path; document.body.append(e);
      }));
  }
  await timed(3000, new Promise(done => {
    const s = new EventSource(base + "/events?page=" + encodeURIComponent(paths[0]));
    s.onopen = () => { got.push("events open"); done() };
    s.onerror = done;
  }));
  for (const method of ["POST", "PUT", "DELETE", "PATCH"])
    try {
      const r = await fetch(base + paths[0], {method, mode: "cors", body: "x"});
      if (r.ok) got.push(method);
    } catch {}
  document.body.insertAdjacentHTML("beforeend", "<iframe name=answer></iframe>");
  const form = document.createElement("form");
  Object.assign(form, {method: "post", action: base + paths[0], target: "answer"});
  document.body.append(form); form.submit();
  await timed(1000, new Promise(() => {}));
  window.got = got;
})();
</script>`

// attackOn is attack on an origin.
func attackOn(base string, paths []string) string {
	list, _ := json.Marshal(paths) // of strings: it cannot fail
	return strings.NewReplacer("BASE", base, "PATHS", string(list)).Replace(attack)
}

// attacked is what the page at address got. If body is not empty it stands for what the server
// would answer there.
func (p *tab) attacked(address, body string) []string {
	p.t.Helper()
	if body != "" {
		p.instead(address, body)
	}
	p.open(address)
	until(p.t, "what the attack at "+address+" got", func() bool { return js[bool](p, "window.got !== undefined") })
	return js[[]string](p, "window.got")
}

// instead has the browser take body for the answer of an address, as if another server had been
// there a moment ago.
func (p *tab) instead(address, body string) {
	p.t.Helper()
	ctx, cancel := context.WithCancel(p.ctx)
	p.t.Cleanup(cancel)
	paused := chromedp.Events(ctx, fetch.RequestPaused)
	p.do("catch "+address, call(fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: address}}}))
	go func() {
		for e, err := range paused {
			if err != nil {
				return
			}
			chromedp.Call(p.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
				RequestID: e.RequestID, ResponseCode: 200, Body: []byte(body),
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}},
			})
		}
	}()
}

// TestWindowStrangers: a page of anybody else in the same browser gets nothing of the window:
// neither one of another port, nor one whose name has been given the window's address since (DNS
// rebinding). What the same page gets at home shows that the attack works.
func TestWindowStrangers(t *testing.T) {
	t.Parallel()
	b := wordsBench(t)
	w := openWindow(t, b.bin, b.path(b.script))
	_, port, err := net.SplitHostPort(w.host)
	if err != nil {
		t.Fatal(err)
	}
	there := rebound + ":" + port
	crawl := w.tab().crawl()
	paths := []string{crawl, crawl + "status.json", "/"}

	strangers := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprint(rw, attackOn("http://"+w.host, paths))
	}))
	t.Cleanup(strangers.Close)
	p := chromium.tab(t, w.host, there, strangers.Listener.Addr().String())
	if got := p.attacked(strangers.URL, ""); len(got) > 0 {
		t.Errorf("a page of another port got %q", got)
	}
	p.refused("http://"+w.host, 5*len(paths))

	p = chromium.tab(t, w.host, there)
	if got := p.attacked("http://"+there+"/attack", attackOn("http://"+there, paths)); len(got) > 0 {
		t.Errorf("a page of a name that was given the window's address got %q", got)
	}
	p.refused("http://"+there, 8*len(paths))
	p.open("http://" + there + "/")
	if text := p.text("body"); strings.Contains(text, "merge") {
		t.Errorf("under another name the window shows\n%s", text)
	}

	home := chromium.tab(t, w.host)
	got := home.attacked("http://"+w.host+"/attack", attackOn("http://"+w.host, paths))
	if !slices.Contains(got, "events open") || !strings.Contains(strings.Join(got, "\n"), "fetch "+crawl) {
		t.Errorf("at home the attack got only %q", got)
	}
	if slices.Contains(got, "POST") || slices.Contains(got, "PUT") || slices.Contains(got, "DELETE") {
		t.Errorf("the window takes more than GET and HEAD: %q", got)
	}
}

// refused finds that the requests to an origin were answered, at least so many, and all by a
// refusal.
func (p *tab) refused(origin string, least int) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, a := range p.answers {
		if strings.HasPrefix(a.url, origin+"/") && !strings.HasSuffix(a.url, "/attack") {
			n++
			if a.status < 400 {
				p.t.Errorf("%s was answered %d", a.url, a.status)
			}
		}
	}
	if n < least {
		p.t.Errorf("%d requests to %s were answered, want %d: the attack did not take place", n, origin, least)
	}
}
