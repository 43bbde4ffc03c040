package examples

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"multitext/txlog/crash"
)

// strict is a policy that lets a page run no script and ask nobody.
const strict = "default-src 'none'"

// sound is a page without a fault; %s is where faults go.
const sound = `<!DOCTYPE html><html lang="en"><head><title>sound</title></head><body><main>
<h1>sound</h1><p><a id="on" href="/on">on</a></p>%s</main></body></html>`

// faultyPages are pages each with a fault, and what the rig must say of it.
var faultyPages = []struct{ name, policy, body, want string }{
	{"sound", strict, "", ""},
	{"console", "", `<script>console.error("canary")</script>`, "canary"},
	{"log", "", `<script>console.log("canary")</script>`, "canary"},
	{"exception", "", `<script>null.canary</script>`, "Cannot read properties of null"},
	{"rejection", "", `<script>Promise.reject(new Error("canary"))</script>`, "canary"},
	{"dialog", "", `<script>alert("canary")</script>`, `a dialog says "canary"`},
	{"inline script", strict, `<script>canary = 1</script>`, "Content Security Policy"},
	{"inline style", strict, `<p style="color: red">red</p>`, "Content Security Policy"},
	{"handler", strict, `<img alt="none" src="data:," onerror="canary = 1">`, "Content Security Policy"},
	{"missing", "", `<script src="/missing.js"></script>`, "404"},
	{"another name", "", `<img alt="none" src="http://canary.test/">`, "GET http://canary.test/"},
	{"another port", "", `<img alt="none" src="http://127.0.0.1:10019/">`, "GET http://127.0.0.1:10019/"},
	{"a secure name", "", `<img alt="none" src="https://canary.test/">`, "CONNECT canary.test:443"},
	{"a name ahead", "", `<link rel="prefetch" href="http://canary.test/">`, "GET http://canary.test/"},
	{"a frame's request", "", `<iframe title="f" sandbox srcdoc="<img src='http://canary.test/'>"></iframe>`,
		"GET http://canary.test/"},
	{"another page", "", `<script>open("/on")</script>`, "a page was opened"},
}

// newRigSite serves faultyPages, each under its name.
func newRigSite(t *testing.T) (address string) {
	t.Helper()
	mux := http.NewServeMux()
	for _, f := range faultyPages {
		mux.HandleFunc("/"+strings.ReplaceAll(f.name, " ", "-"), func(w http.ResponseWriter, r *http.Request) {
			if f.policy != "" {
				w.Header().Set("Content-Security-Policy", f.policy)
			}
			fmt.Fprintf(w, sound, f.body)
		})
	}
	mux.HandleFunc("/on", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, sound, "<p id=p>here</p>") })
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.Listener.Addr().String()
}

// TestBrowserSees: each fault of a page is seen, and a sound page has none.
func TestBrowserSees(t *testing.T) {
	t.Parallel()
	address := newRigSite(t)
	p := chromium.tab(t, address)
	for _, f := range faultyPages {
		p.forget()
		p.open("http://" + address + "/" + strings.ReplaceAll(f.name, " ", "-"))
		if f.want == "" {
			p.quiet()
			p.click("#on")
			if got := p.text("#p"); got != "here" {
				t.Errorf("behind a click is %q at %s", got, p.where())
			}
			continue
		}
		seen := func() bool {
			return slices.ContainsFunc(p.wrong(), func(w string) bool { return strings.Contains(w, f.want) })
		}
		until(t, fmt.Sprintf("%q of the page %q, but %q", f.want, f.name, p.wrong()), seen)
	}
}

// TestBrowserMeasures: what is too wide, what a screen reader cannot name and what a frame did are
// seen.
func TestBrowserMeasures(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	body := ""
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, sound, body) })
	mux.HandleFunc("/frame", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<script>document.documentElement.dataset.ran = "yes"</script><p>frame</p>`)
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	p := chromium.tab(t, site.Listener.Addr().String())
	show := func(html string) { body = html; p.open(site.URL + "/page") }

	show(`<button>b</button><table><caption>t</caption><tr><th scope="col">1</th></tr></table>`)
	if wrong := p.unnamed(); wrong != nil {
		t.Errorf("of a page where all have names: %q", wrong)
	}
	if pixels, what := p.wide(); pixels != 0 {
		t.Errorf("a narrow page is %d too wide: %q", pixels, what)
	}
	show(`<button></button><a href="/"></a><img src="/"><h1></h1><input>
		<table><tr><th>1<th scope="col">2<tr><td>3<td>4</table>`)
	for _, want := range []string{"a button", "a link", "a image", "a table", "a textbox", "2 headings", "1 heads"} {
		if wrong := strings.Join(p.unnamed(), "\n"); !strings.Contains(wrong, want) {
			t.Errorf("%s: not among\n%s", want, wrong)
		}
	}
	show(`<p style="width: 2000px" class="long">long</p>`)
	if pixels, what := p.wide(); pixels < 700 || len(what) == 0 || what[0] != "P.long long" {
		t.Errorf("a page of 2000 pixels is %d too wide: %q", pixels, what)
	}
	for _, sandbox := range []string{"", "allow-scripts"} {
		show(fmt.Sprintf(`<iframe title="f" src="/frame" sandbox="%s"></iframe>`, sandbox))
		f, ok := p.frame("/frame")
		if !ok {
			t.Fatal("no frame is seen")
		}
		ran, want := js[string](f, "document.documentElement.dataset.ran ?? ''"), map[bool]string{true: "yes"}[sandbox != ""]
		if ran != want {
			t.Errorf("a frame of sandbox=%q says that it ran: %q, want %q", sandbox, ran, want)
		}
		if got := f.text("p"); got != "frame" {
			t.Errorf("in the frame is %q", got)
		}
	}
	p.noScripts()
	show(`<p id="ran">no</p><script>ran.textContent = "yes"</script>`)
	if ran := p.text("#ran"); ran != "no" {
		t.Errorf("without scripts a script ran: %q", ran)
	}
}

// TestBrowserIsOfTests: no program is linked with what drives the browser.
func TestBrowserIsOfTests(t *testing.T) {
	t.Parallel()
	out, err := crash.Bounded(t, "go", "list", "-deps", "multitext/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	if deps := string(out); strings.Contains(deps, "chromedp") || !strings.Contains(deps, "multitext/examples/testweb") {
		t.Error("a program is linked with chromedp, or this is no list of what they are linked with")
	}
}
