package examples

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A watch looks at the page of all crawlers while they run.
type watch struct {
	page *tab
	stop chan struct{}
	seen chan int // the most crawlers that the page showed as running at one time
}

// watchAll opens the window on all crawlers of the collaboration. It returns nil where there is no
// Chromium.
func (b *c4Bench) watchAll() *watch {
	b.t.Helper()
	if chromium.path() == "" {
		b.t.Log("there is no Chromium, so nobody looks at the page of all crawlers")
		return nil
	}
	args := []string{"-var", c4Delay}
	for _, node := range b.nodes {
		args = append(args, "-var", "node="+node)
	}
	w := openWindow(b.t, b.bin, append(args, b.path(b.script))...)
	k := &watch{w.tab(), make(chan struct{}), make(chan int, 1)}
	js[bool](k.page, "window.loadedOnce = true")
	go func() {
		most := 0
		for {
			select {
			case <-k.stop:
				k.seen <- most
				return
			case <-time.After(100 * time.Millisecond):
				n := 0
				for _, row := range k.page.texts("#crawls tbody tr") {
					if strings.Contains(row, "The crawl runs") || strings.Contains(row, "The crawl waits") {
						n++
					}
				}
				most = max(most, n)
			}
		}
	}()
	return k
}

// saw finds that the page has a row for each crawler, has shown half of them at work at one time
// without being loaded again, and shows the figures of each, now that all have ended.
func (b *c4Bench) saw(k *watch) {
	b.t.Helper()
	if k == nil {
		return
	}
	close(k.stop)
	if most := <-k.seen; most < len(b.nodes)/2 {
		b.t.Errorf("the page showed at most %d of %d crawlers at work", most, len(b.nodes))
	}
	for _, node := range b.nodes {
		var s crawlStatus
		out := b.output(b.bin+"/manager", "status", "-json", "-var", c4Delay, "-var", "node="+node, b.path(b.script))
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			b.t.Fatal(err)
		}
		row := fmt.Sprintf("%s %d", node, s.Transactions)
		until(b.t, "the page has the row "+row, func() bool {
			return js[bool](k.page, fmt.Sprintf(`[...document.querySelectorAll("#crawls tbody tr")].some(r =>
				(r.cells[0].innerText.trim() + " " + r.cells[2].innerText.replace(/\D/g, "")).endsWith(%q))`, row))
		})
	}
	if rows := len(k.page.texts("#crawls tbody tr")); rows != len(b.nodes) ||
		!js[bool](k.page, "window.loadedOnce === true") {
		b.t.Errorf("the page has %d rows of %d crawlers, or was loaded again", rows, len(b.nodes))
	}
	k.page.looks("c4")
	if wrong := k.page.unnamed(); len(wrong) > 0 {
		b.t.Error(strings.Join(wrong, "\n"))
	}
	k.page.quiet()
}
