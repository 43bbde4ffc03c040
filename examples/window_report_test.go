package examples

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportInBrowser: a report opens from disk and from the window, asks nobody for anything, and
// has a name for everything.
func TestReportInBrowser(t *testing.T) {
	t.Parallel()
	b := wordsBench(t)
	chromium.start(t)
	cmd := exec.Command(filepath.Join(b.bin, "window"), "-report", filepath.Join(b.dir, b.script))
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, b.bin, filepath.Join(b.dir, b.script))
	for name, address := range map[string]string{
		"disk":   (&url.URL{Scheme: "file", Path: file}).String(),
		"window": w.url(w.tab().crawl() + "report"),
	} {
		t.Run(name, func(t *testing.T) {
			p := chromium.tab(t, map[string]string{"disk": "", "window": w.host}[name])
			p.open(address)
			if h1 := p.text("h1"); h1 != "The crawl has ended: nothing is left to do." {
				t.Errorf("the report says %q", h1)
			}
			if n := js[int](p, "[...document.images].filter(i => i.complete && i.naturalWidth > 400).length"); n < 8 {
				t.Errorf("%d pictures are shown", n)
			}
			if font := js[string](p, "getComputedStyle(document.body).fontFamily"); !strings.Contains(font, "sans") {
				t.Errorf("the style does not hold: the font is %q", font)
			}
			p.mu.Lock()
			for _, asked := range p.asked {
				if asked != address && !strings.HasPrefix(asked, "data:image/svg+xml;base64,") &&
					!strings.HasSuffix(asked, "/favicon.ico") {
					t.Errorf("it asks for %.100s", asked)
				}
			}
			p.mu.Unlock()
			if wrong := p.unnamed(); wrong != nil {
				t.Errorf("a screen reader does not know %q", wrong)
			}
			p.looks("report-" + name)
			p.quiet("favicon.ico")
		})
	}
}
