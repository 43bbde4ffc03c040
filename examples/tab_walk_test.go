package examples

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// do does steps in the page, in bounded time.
func (p *tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, within)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%s: %v\nThe page is %s", what, err, p.where())
	}
}

// open goes to an address, which must be answered.
func (p *tab) open(address string) {
	p.t.Helper()
	p.do("open "+address, chromedp.Navigate(address))
}

// where is the page's address.
func (p *tab) where() string {
	where, err := chromedp.Run(p.ctx, chromedp.Location())
	if err != nil {
		return err.Error()
	}
	return where
}

// js is what an expression is in the page. It works in pages that must not run scripts, too.
func js[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, within)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil && !errors.Is(err, chromedp.ErrJSNull) && !errors.Is(err, chromedp.ErrJSUndefined) {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// has tells whether the page has an element now.
func (p *tab) has(css string) bool {
	p.t.Helper()
	return js[bool](p, fmt.Sprintf("document.querySelector(%q) !== null", css))
}

// text is what a person reads in the first such element, and "" if there is none.
func (p *tab) text(css string) string {
	p.t.Helper()
	return js[string](p, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", css))
}

// texts is what a person reads in all such elements.
func (p *tab) texts(css string) []string {
	p.t.Helper()
	return js[[]string](p, fmt.Sprintf("[...document.querySelectorAll(%q)].map(e => e.innerText)", css))
}

// click clicks on the first such element, as a mouse does, and waits for the page that it leads to.
func (p *tab) click(css string) {
	p.t.Helper()
	before, was := p.where(), p.loaded()
	p.do("click on "+css, chromedp.Click(chromedp.CSS(css), chromedp.NodeVisible))
	until(p.t, "a page behind the click on "+css+" of "+before, func() bool { return p.loaded() > was })
	p.do("load the page", chromedp.WaitReady(chromedp.CSS("body")))
}

// loaded is how many pages the tab has gone to.
func (p *tab) loaded() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.tops)
}

// noScripts has the tab run none.
func (p *tab) noScripts() {
	p.t.Helper()
	p.do("no scripts", call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
}

// size is the size of the view, in CSS pixels.
func (p *tab) size(width, height int64) {
	p.t.Helper()
	p.do("size", chromedp.EmulateViewport(width, height))
}

// scheme chooses "light" or "dark".
func (p *tab) scheme(name string) {
	p.t.Helper()
	feature := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}
	p.do("scheme", call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: feature}))
}

// call is a step of the browser's own protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// wide is by how many pixels the page is wider than the view, and what sticks out.
func (p *tab) wide() (pixels int, what []string) {
	p.t.Helper()
	pixels = js[int](p, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
	if pixels > 0 {
		what = js[[]string](p, `[...document.querySelectorAll("body *")].filter(
			e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(
			e => e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 40)).slice(0, 5)`)
	}
	return pixels, what
}

// looks holds the page at the width of a desk and of a phone against their borders, in light and
// dark, and puts pictures of it into the folder of -shots.
func (p *tab) looks(name string) {
	p.t.Helper()
	for _, width := range []int64{1280, 390} {
		p.size(width, 800)
		if pixels, what := p.wide(); pixels > 0 {
			p.t.Errorf("%s at %d pixels: the page is %d too wide, by %q", name, width, pixels, what)
		}
		if *shots == "" {
			continue
		}
		for _, scheme := range []string{"light", "dark"} {
			p.scheme(scheme)
			p.shot(fmt.Sprintf("%s-%d-%s.png", name, width, scheme))
		}
		p.scheme("light")
	}
	p.size(1280, 800)
}

// shot takes a picture of the whole page, at most four screens of it.
func (p *tab) shot(name string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, within)
	defer cancel()
	size := js[[]float64](p, "[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
	picture, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip:                  &page.Viewport{Width: size[0], Height: min(size[1], 3200), Scale: 1},
		CaptureBeyondViewport: new(true),
	})
	if err == nil {
		err = os.MkdirAll(*shots, 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name), picture.Data, 0o666)
	}
	if err != nil {
		p.t.Fatalf("picture %s: %v", name, err)
	}
}

// frame is a tab for a frame of the page that has a process of its own, as sandboxed frames do. ok
// is false if there is none whose address holds the text.
func (p *tab) frame(part string) (f *tab, ok bool) {
	p.t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		infos, err := chromedp.Targets(p.ctx)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, i := range infos {
			if i.Type == "iframe" && strings.Contains(i.URL, part) {
				f = &tab{t: p.t, own: slices.Clone(p.own), abroad: p.abroad, asked: map[network.RequestID]string{}}
				ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(i.TargetID), chromedp.WithListener(f.heard))
				p.t.Cleanup(cancel)
				f.ctx = ctx
				if err := chromedp.Do(ctx); err != nil {
					p.t.Fatal(err)
				}
				return f, true
			}
		}
	}
	return nil, false
}
