package examples

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// crawlStatus is what manager status -json prints, so far as tests of the window look at it.
type crawlStatus struct {
	Manager      *struct{ Pid int }
	Transactions uint64
	Stages       []stageStatus
}

type stageStatus struct {
	Name, State, Why string
	Running          []struct{ Tx uint64 }
	Runs, Failures   int64
}

// TestWindowTour watches the tour in a browser, from before its seed to its end: figures change and
// stages light up without a reload; a manager that is killed is seen as such, and that another goes
// on; at the end the page says what manager status says; without scripts it says the same.
func TestWindowTour(t *testing.T) {
	t.Parallel()
	b := tourBench(t, programs(t))
	b.change("-delay 20ms", "-delay 60ms") // there is more to see
	w := openWindow(t, b.bin, b.path(b.script))
	overview, flow := w.tab(), w.tab()
	crawl := overview.crawl()
	overview.says("has not begun")
	atStart := overview.text("#now .facts b")
	flow.open(w.url(crawl + "flow"))
	for _, p := range []*tab{overview, flow} {
		until(t, "the page is live", func() bool { return p.text("#live") == "up to date" })
		js[bool](p, "window.loadedOnce = true")
	}

	cmd, _ := b.manager("run")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	overview.says("The crawl runs")
	b.cutOff(cmd)
	overview.says("cut off")
	overview.says("manager was killed")
	atKill := overview.text("#now .facts b")
	if lit := flow.lit(); len(lit) > 0 {
		until(t, "no stage is lit after the kill", func() bool { return len(flow.lit()) == 0 })
	}
	cmd, said := b.manager("run")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	overview.says("The crawl runs")
	until(t, "the page says that the crawl was resumed", func() bool {
		return strings.Contains(overview.text("#now"), "The crawl was resumed")
	})
	until(t, "a stage is lit", func() bool { return len(flow.lit()) > 0 })
	if err := <-over; err != nil {
		t.Errorf("manager run: %v; it said\n%s", err, said)
	}
	overview.says("has ended: nothing is left to do")
	until(t, "no stage is lit at the end", func() bool { return len(flow.lit()) == 0 })
	if atEnd := overview.text("#now .facts b"); atStart == atKill || atKill == atEnd {
		t.Errorf("the page showed %s transactions before the crawl, %s when it was cut off and %s at the end", atStart,
			atKill, atEnd)
	}
	for _, p := range []*tab{overview, flow} {
		if !js[bool](p, "window.loadedOnce === true") {
			t.Errorf("the page %s was loaded again", p.where())
		}
		p.quiet()
	}
	b.samePage(w, overview, crawl)
	p := w.tab()
	for _, path := range []string{"", "flow", "stage/fetch", "tx", "tx/20", "queues", "queue/archive", "products",
		"find?text=h000", "report"} {
		p.open(w.url(crawl + path))
		p.looks("tour-" + strings.NewReplacer("/", "-", "?", "-").Replace(path))
		if wrong := p.unnamed(); len(wrong) > 0 {
			t.Errorf("%s: %s", p.where(), strings.Join(wrong, "\n"))
		}
	}
	b.lineage(w, p, crawl)
	p.quiet()
	plain := chromium.tab(t, w.host)
	plain.noScripts()
	plain.open(w.url(crawl))
	b.samePage(w, plain, crawl)
	if state := plain.text("#live"); state != "" {
		t.Errorf("without scripts the page says that it is %q", state)
	}
	plain.quiet()
}

// says waits for the sentence of the overview to hold the words.
func (p *tab) says(words string) {
	p.t.Helper()
	p.t.Cleanup(func() {
		if p.t.Failed() {
			p.t.Logf("at last %s says %q", p.where(), p.text("#now"))
		}
	})
	until(p.t, "the page says "+words, func() bool { return strings.Contains(p.text("#now h1"), words) })
}

// lit are the stages that the flow shows as running.
func (p *tab) lit() []string {
	p.t.Helper()
	return js[[]string](p, `[...document.querySelectorAll("#picture .lit")].map(
		e => e.closest("a")?.getAttribute("href") ?? "").filter(e => e)`)
}

// cutOff kills the manager when fetch runs, which this cuts off: other runs may end before the
// kill.
func (b *bench) cutOff(cmd *exec.Cmd) {
	b.t.Helper()
	until(b.t, "a run is under way", func() bool {
		status := b.status()
		runs := func(s stageStatus) bool { return s.Name == "fetch" && len(s.Running) > 0 }
		return status.Manager != nil && slices.ContainsFunc(status.Stages, runs)
	})
	cmd.Process.Kill()
	cmd.Wait()
}

// statusText is what manager status -json prints.
func (b *bench) statusText() string {
	b.t.Helper()
	return b.output(b.bin+"/manager", "status", "-json", b.path(b.script))
}

func (b *bench) status() (s crawlStatus) {
	b.t.Helper()
	if err := json.Unmarshal([]byte(b.statusText()), &s); err != nil {
		b.t.Fatal(err)
	}
	return s
}

// samePage finds that the overview and status.json of the window say what manager status -json
// does.
func (b *bench) samePage(w *windowed, p *tab, crawl string) {
	t := b.t
	t.Helper()
	want := b.status()
	if _, got := w.ask("GET", crawl+"status.json"); got != b.statusText() {
		t.Errorf("status.json says\n%s, and manager status\n%s", got, b.statusText())
	}
	digits := func(text string) string { return strings.ReplaceAll(text, "\u202f", "") }
	if got := digits(p.text("#now .facts b")); got != strconv.FormatUint(want.Transactions, 10) || want.Transactions < 50 {
		t.Errorf("the page says that %s transactions ended, manager status %d", got, want.Transactions)
	}
	head := p.texts("#stages thead tr:last-child th")
	runs, failed := slices.Index(head, "Runs"), slices.Index(head, "Failed")
	if runs < 0 || failed < 0 {
		t.Fatalf("the table of stages has the columns %q", head)
	}
	rows := js[[][]string](p, `[...document.querySelectorAll("#stages tbody tr")].map(
		r => [...r.cells].map(c => c.innerText.trim()))`)
	for i, s := range want.Stages {
		if i >= len(rows) || rows[i][0] != s.Name || digits(rows[i][runs]) != strconv.FormatInt(s.Runs, 10) ||
			strings.Replace(digits(rows[i][failed]), "-", "0", 1) != strconv.FormatInt(s.Failures, 10) {
			t.Errorf("of %+v the page has the row %q", s, rows[min(i, len(rows)-1)])
		}
	}
}

// lineage walks by clicks from an archive file to the seed.
func (b *bench) lineage(w *windowed, p *tab, crawl string) {
	b.t.Helper()
	p.open(w.url(crawl + "queue/archive"))
	p.click(`#batches tr:last-child a[href*="/batch/archive/"]`) // the oldest
	p.click(`#main a[href*="/tx/"]`)
	clicks := 2
	for ; !strings.Contains(p.text("#tx dl"), "seeds:") && clicks < 200; clicks++ {
		p.click(madeBy)
	}
	if !strings.HasSuffix(p.where(), "/tx/1") || clicks < 8 {
		b.t.Errorf("after %d clicks from an archive file to what it was made of, the page is %s", clicks, p.where())
	}
}

// madeBy is the link from a transaction to the one that made its first input: inputs come before
// outputs.
const madeBy = `#tx tr td:last-child a[href*="/tx/"]`
