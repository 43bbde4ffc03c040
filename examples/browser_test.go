package examples

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// shots is where tests put pictures of pages, for people to look at.
var shots = flag.String("shots", "", "put screenshots of the pages that tests open into this folder")

// rebound is a name that the browser finds at 127.0.0.1, as if its owner had changed it to that
// address.
const rebound = "rebound.test"

// A browser is a Chromium that all tests share. It finds no name but rebound. What a tab asks of
// anybody but the hosts that it names as its own ends at a proxy of that tab, which refuses it and
// writes it down. What Chromium asks for itself (updates, the time) ends at a proxy too, and is no
// tab's fault.
type browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

var chromium browser

// path is Chromium's; "" if there is none.
func (b *browser) path() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// start starts it once, with a profile that ends with it.
func (b *browser) start(t testing.TB) {
	t.Helper()
	path := b.path()
	if path == "" {
		t.Skip("there is no Chromium: apt-get install chromium")
	}
	b.once.Do(func() {
		abroad := newRefuser()
		options := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.ExecPath(path),
			chromedp.ProxyServer(abroad.URL),
			chromedp.Flag("host-resolver-rules", "MAP "+rebound+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
			// The browser must not keep from a window what the window has to refuse itself.
			chromedp.Flag("disable-features", "Translate,AutofillServerCommunication,"+
				"LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests"),
			chromedp.Flag("disable-component-update", true),
			chromedp.Flag("disable-domain-reliability", true),
			chromedp.Flag("no-pings", true),
			chromedp.DisableGPU,
		)
		if os.Geteuid() == 0 {
			options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root with it
		}
		allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
		b.ctx, b.stop = ctx, func() { cancel(); end(); abroad.Close() }
		b.err = chromedp.Do(ctx)
	})
	if b.err != nil {
		t.Fatalf("Chromium does not start: %v", b.err)
	}
}

// remove ends it.
func (b *browser) remove() {
	if b.stop != nil {
		b.stop()
	}
}

// tab opens an empty tab with cookies, cache and proxy of its own. The hosts (with ports) that it
// may ask are own; it asks those directly.
func (b *browser) tab(t testing.TB, own ...string) *tab {
	t.Helper()
	b.start(t)
	p := &tab{t: t, own: own, abroad: newRefuser(), asked: map[network.RequestID]string{}}
	t.Cleanup(p.abroad.Close)
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewWindow(true), chromedp.WithListener(p.heard),
		chromedp.WithNewBrowserContext(func(c *target.CreateBrowserContextParams) {
			c.ProxyServer = p.abroad.URL
			c.ProxyBypassList = strings.Join(append([]string{"<-loopback>"}, own...), ";")
		}))
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("no tab: %v", err)
	}
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Logf("the tab does not close: %v", err)
		}
		cancel()
	})
	p.ctx = ctx
	p.size(1280, 800)
	return p
}

// A refuser is a proxy that lets nobody through, and keeps what was asked of it.
type refuser struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newRefuser() *refuser {
	r := &refuser{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.asked = append(r.asked, fmt.Sprintf("%s %s", req.Method, req.RequestURI))
		r.mu.Unlock()
		http.Error(w, "nobody is let through", http.StatusForbidden)
	}))
	return r
}

// list is what was asked so far.
func (r *refuser) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.asked)
}

func (r *refuser) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = nil
}

// within is how long a page may take to become what a test waits for.
const within = 30 * time.Second

// until waits for ok to be true.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v went by without: %s", within, what)
		}
	}
}
