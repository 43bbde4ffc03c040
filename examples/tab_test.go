package examples

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A tab is one page of the browser, and all that went wrong in it.
type tab struct {
	t      testing.TB
	ctx    context.Context
	own    []string
	abroad *refuser

	mu      sync.Mutex
	faults  []string                     // what a person would find in the console, and dialogs
	asked   map[network.RequestID]string // URLs
	tops    []string                     // URLs that the page itself, no frame of it, has gone to
	answers []answer
}

// An answer is what a server said to a request of the page.
type answer struct {
	url    string
	status int64
}

// heard takes down what the page says.
func (p *tab) heard(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.fault("the console has %s: %s", e.Type, words(e.Args))
	case *runtime.EventExceptionThrown:
		p.fault("an exception: %s %s", e.ExceptionDetails.Text, words([]*runtime.RemoteObject{e.ExceptionDetails.Exception}))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.fault("%s of %s: %s (%s)", e.Entry.Level, e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		p.fault("a dialog says %q", e.Message)
		target := chromedp.FromContext(p.ctx).Target
		go cdp.Call(p.ctx, target, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
	case *page.EventFrameNavigated:
		if e.Frame.ParentID == "" {
			p.tops = append(p.tops, e.Frame.URL)
		}
	case *network.EventResponseReceivedExtraInfo: // also of answers that the page may not have
		p.answers = append(p.answers, answer{p.asked[e.RequestID], e.StatusCode})
	case *network.EventRequestWillBeSent:
		p.asked[e.RequestID] = e.Request.URL
		if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "data" && !slices.Contains(p.own, u.Host) {
			p.fault("a request to %s", e.Request.URL)
		}
	}
}

func (p *tab) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// words are what a script said.
func words(said []*runtime.RemoteObject) string {
	var all []string
	for _, s := range said {
		if s != nil {
			all = append(all, strings.TrimSpace(string(s.Value)+" "+s.Description))
		}
	}
	return strings.Join(all, " ")
}

// wrong is all that went wrong so far: what the console has, requests to others, pages that were
// opened.
func (p *tab) wrong() []string {
	p.t.Helper()
	var wrong []string
	for _, asked := range p.abroad.list() {
		wrong = append(wrong, "at the proxy: "+asked)
	}
	infos, err := chromedp.Targets(p.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	self := chromedp.FromContext(p.ctx)
	for _, i := range infos {
		if i.BrowserContextID == self.BrowserContextID && i.Type == "page" && i.TargetID != self.Target.TargetID {
			wrong = append(wrong, "a page was opened: "+i.URL)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return append(wrong, p.faults...)
}

// quiet finds that nothing went wrong, but for what holds one of the words.
func (p *tab) quiet(but ...string) {
	p.t.Helper()
	for _, wrong := range p.wrong() {
		if !slices.ContainsFunc(but, func(word string) bool { return strings.Contains(wrong, word) }) {
			p.t.Errorf("in the browser: %s", wrong)
		}
	}
}

// forget takes what went wrong so far as looked at.
func (p *tab) forget() {
	p.abroad.forget()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
}
