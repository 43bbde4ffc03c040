package examples

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A windowed is a window program that a test has started, on one crawl or more.
type windowed struct {
	t    testing.TB
	host string // and port
	cmd  *exec.Cmd
}

// openWindow starts the window with the arguments. It ends with the test.
func openWindow(t testing.TB, bin string, args ...string) *windowed {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "window"), args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		stuck := time.AfterFunc(within, func() { cmd.Process.Signal(syscall.SIGQUIT) })
		err := cmd.Wait()
		if !stuck.Stop() || err != nil {
			t.Errorf("the window ended with %v, 0 is wanted after SIGTERM; it said\n%s", err, &said)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	host, ok := strings.CutPrefix(strings.TrimSpace(line), "window on http://")
	if err != nil || !ok || !strings.HasPrefix(host, "127.0.0.1:") {
		t.Fatalf("the window says %q (%v) and\n%s", line, err, &said)
	}
	return &windowed{t, strings.TrimSuffix(host, "/"), cmd}
}

// url is the address of a path.
func (w *windowed) url(path string) string { return "http://" + w.host + path }

// tab opens the window's first page in a tab that may ask nobody else.
func (w *windowed) tab() *tab {
	w.t.Helper()
	p := chromium.tab(w.t, w.host)
	p.open(w.url("/"))
	return p
}

// crawl is the path of the only crawl, to which the first page leads, such as /c/crawl/.
func (p *tab) crawl() string {
	p.t.Helper()
	_, path, _ := strings.Cut(strings.TrimPrefix(p.where(), "http://"), "/")
	if !strings.HasPrefix(path, "c/") || !strings.HasSuffix(path, "/") {
		p.t.Fatalf("the page of a single crawl is %s, want /c/NAME/", p.where())
	}
	return "/" + path
}

// wordsBench is the crawl of examples/words, over.
func wordsBench(t *testing.T) *bench {
	t.Helper()
	b := newWords(t)
	b.run(0)
	return b
}

// newWords is the crawl of examples/words, which has not begun.
func newWords(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, programs(t), "words", "words.toml")
	if err := os.CopyFS(b.dir, os.DirFS("words")); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	return b
}
