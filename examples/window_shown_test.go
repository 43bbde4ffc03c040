package examples

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestWindowHostile: texts of a crawl that would run, load or send something where they are not
// escaped are texts on all pages that show them, and products that are pages or pictures do nothing
// in their frames.
func TestWindowHostile(t *testing.T) {
	t.Parallel()
	b := hostileTextsBench(t)
	w := openWindow(t, b.bin, b.path(b.script))
	p := w.tab()
	crawl, opened, framed := p.crawl(), 0, 0
	seen, kinds := "", map[string]int{}
	for _, path := range w.allPages("no canary of this kind") {
		rest := strings.TrimPrefix(path, crawl)
		if !strings.HasPrefix(path, crawl) || slices.ContainsFunc([]string{"download/", "chart/", "raw/", "status.json"},
			func(kind string) bool { return strings.HasPrefix(rest, kind) }) {
			continue
		}
		kind, _, _ := strings.Cut(rest, "/")
		if kind, _, _ = strings.Cut(kind, "?"); kind == "tx" && rest != kind {
			kind += " filtered, or one"
		}
		if kinds[kind]++; kinds[kind] > 8 {
			continue
		}
		p.open(w.url(path))
		opened++
		p.unbroken()
		seen += p.text("body")
		if pixels, what := p.wide(); pixels > 0 {
			t.Errorf("%s is %d pixels too wide, by %q", path, pixels, what)
		}
		if p.has("iframe") && framed < 4 {
			framed++
			p.framed()
		}
	}
	t.Logf("%d pages were opened, of %v", opened, kinds)
	if opened < 25 || framed < 2 {
		t.Errorf("only %d pages were opened, %d of them with a frame", opened, framed)
	}
	for i, text := range hostile[:26] { // the others hold characters that are shown in other ways
		if !strings.Contains(seen, text) {
			t.Errorf("no page shows text %d: %q", i, text)
		}
	}
	p.quiet("Blocked script execution in", "sandboxed")
	for i, top := range p.tops {
		if !strings.HasPrefix(top, w.url("/")) && top != "about:blank" {
			t.Errorf("the page went to %s, the %dth address", top, i)
		}
	}
	for _, path := range []string{"raw/page/m-000000000002-00001.html", "raw/picture/m-000000000002-00001.svg"} {
		p.forget()
		p.open(w.url(crawl + path)) // outside of its frame
		p.harmless()
		// What a policy stops is named, and does not come to the proxy.
		p.quiet("Blocked script execution in", "sandboxed", "Content Security Policy", "a request to http://canary.test/css",
			"a request to http://canary.test/im")
		if where := p.where(); where != w.url(crawl+path) {
			t.Errorf("%s has gone to %s", path, where)
		}
	}
}

// framed finds that the product in the frame of the page has neither run nor reached anything, nor
// does so when it is clicked on.
func (p *tab) framed() {
	p.t.Helper()
	src := js[string](p, "document.querySelector('iframe').getAttribute('src')")
	f, ok := p.frame(src)
	if !ok {
		p.t.Errorf("%s has no sandboxed frame with %s", p.where(), src)
		return
	}
	f.harmless()
	was := p.where()
	box := js[[]float64](p, `(f => { f.scrollIntoView(); const r = f.getBoundingClientRect();
		return [r.left + 60, r.top + 60] })(document.querySelector("iframe"))`)
	p.clickAt(box[0], box[1])
	if where := p.where(); where != was {
		p.t.Errorf("a click into the frame of %s led to %s", was, where)
	}
	p.unbroken()
}

// harmless finds that the scripts of hostilePage or hostilePicture, which is open, have not run.
func (p *tab) harmless() {
	p.t.Helper()
	if js[string](p, "document.documentElement.getAttribute('data-ran') ?? ''") != "" {
		p.t.Errorf("%s has run its script", p.where())
	}
	if js[bool](p, "typeof canary !== 'undefined'") {
		p.t.Errorf("%s has left a canary", p.where())
	}
}

// clickAt clicks on a place of the view, and waits until the browser has dealt with it.
func (p *tab) clickAt(x, y float64) {
	p.t.Helper()
	p.do("click", chromedp.MouseClickXY(x, y))
	p.do("settle", call(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseMoved", X: 1, Y: 1}))
	js[int](p, "1")
}
