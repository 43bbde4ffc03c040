package examples

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// blockedScript is a crawl in which the stage first cannot start, because second takes a minute.
const blockedScript = `
flow  = 1
dir   = "crawl"
seeds = { texts = ["a.txt", "b.txt"] }
[queue.texts]
ext = "txt"
[queue.between]
ext = "txt"
full = 1
[stage.first]
in    = "texts"
out   = "between"
shell = "cat {in} > {between}"
[stage.second]
in    = "between"
shell = "sleep 600"
`

// blockedBench is that crawl with a manager that runs it until the test ends.
func blockedBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, bin: programs(t), dir: t.TempDir(), script: "blocked.toml"}
	b.write("blocked.toml", blockedScript)
	b.write("a.txt", "a")
	b.write("b.txt", "b")
	cmd, said := b.manager("run")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.kill(cmd, true)
		cmd.Wait()
		if t.Failed() {
			t.Logf("the manager said\n%s", said)
		}
	})
	until(t, "a crawl in which a stage is blocked", func() bool {
		s := b.status()
		return len(s.Stages) == 2 && len(s.Stages[1].Running) == 1 && s.Stages[0].State == "waiting"
	})
	return b
}

// TestWindowBlocked: a stage that does not start says why, as manager why does. All of the page is
// reached by the keyboard, beginning with a way past the head, and the focus stays where it is
// while parts of the page are replaced.
func TestWindowBlocked(t *testing.T) {
	t.Parallel()
	b := blockedBench(t)
	w := openWindow(t, b.bin, b.path(b.script))
	p := w.tab()
	crawl := p.crawl()
	p.open(w.url(crawl + "flow"))
	why := b.output(b.bin+"/manager", "why", b.path(b.script), "first")
	no := strings.TrimSpace(why[strings.Index(why, "NO"):])
	t.Logf("manager why says %s", no)
	row := p.text("#why tbody tr")
	if !strings.Contains(row, "does not run") || !strings.Contains(row, "between") || !strings.Contains(why, "between") {
		t.Errorf("of a stage whose output is full the page says %q, and manager why\n%s", row, why)
	}
	until(t, "the flow lights the stage that runs", func() bool {
		return slices.Equal(p.lit(), []string{crawl + "stage/second"})
	})
	p.looks("blocked-flow")

	p.open(w.url(crawl + "flow"))
	p.press(kb.Tab)
	if got := p.focused(); got != "#main" {
		t.Errorf("the first stop of the tab key is %q, want the link past the head", got)
	}
	p.press(kb.Enter)
	if got := js[string](p, "document.activeElement.id"); got != "main" {
		t.Errorf("the link past the head leads to %q", got)
	}
	p.open(w.url(crawl + "flow"))
	var stops []string
	for len(stops) < 60 && (len(stops) < 2 || stops[len(stops)-1] != stops[0]) { // once round
		p.press(kb.Tab)
		stops = append(stops, p.focused())
	}
	inOrder := js[[]string](p, `[...document.querySelectorAll("a[href], summary, input, select, button")].filter(
		e => e.checkVisibility() && e.tabIndex >= 0).map(e => e.getAttribute("href") ?? e.name ?? e.tagName)`)
	for i, want := range inOrder {
		if want = strings.TrimSpace(want); !slices.Contains(stops, want) {
			t.Errorf("%d stops of the tab key do not come to %q but to %q", len(stops), inOrder[i], stops)
		}
	}

	second := crawl + "stage/second"
	p.do("focus", chromedp.Focus(chromedp.CSS(fmt.Sprintf("#why a[href=%q]", second))))
	sum := js[string](p, "document.querySelector('#why').innerHTML")
	until(t, "the part is replaced", func() bool { return js[string](p, "document.querySelector('#why').innerHTML") != sum })
	if got := p.focused(); got != second {
		t.Errorf("after the part was replaced the focus is on %q, want %q", got, second)
	}
	p.press(kb.Enter)
	until(t, "the page of the stage", func() bool { return strings.HasSuffix(p.where(), second) })
	p.quiet()
}

// press presses a key.
func (p *tab) press(key string) {
	p.t.Helper()
	p.do("press a key", chromedp.KeyEvent(key))
}

// focused is where the focus is: the address of a link, or the name of another element.
func (p *tab) focused() string {
	p.t.Helper()
	return js[string](p, `(e => e.getAttribute("href") || e.name || e.tagName)(document.activeElement)`)
}
