package site

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"multitext/manager/internal/follow"
	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/crawls"
	"multitext/script"
	"multitext/txlog"
)

const flow = `
flow  = 1
dir   = "crawl"
seeds = { a = "nowhere" }
[stage.one]
in  = "a"
out = ["b", "page", "table", "sent"]
run = "no-such-program {in}"
[stage.two]
in  = "b"
out = ["a", "c"]
run = "no-such-program {in}"
[queue.page]
ext = "html"
[queue.table]
ext = "tsv"
[queue.sent]
export = true
ext = "txt"
[queue.c]
ext = "txt"
`

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A world is a crawl's directory that a test writes, and a site that shows it.
type world struct {
	testing.TB
	script *script.Script
	log    *txlog.Log
	now    time.Time
	last   uint64 // the newest transaction
	crawl  *crawls.Crawl
	site   *Site
}

// newWorld has a crawl that has not begun.
func newWorld(t testing.TB) *world {
	dir := t.TempDir()
	w := &world{TB: t, now: noon}
	for _, name := range []string{"", "work", "history", "a", "b", "c", "page", "table", "sent"} {
		w.must(os.MkdirAll(filepath.Join(dir, "crawl", name), 0o777))
	}
	var err error
	w.script, err = script.Parse(filepath.Join(dir, "flow.toml"), []byte(flow), nil)
	w.must(err)
	w.reopen()
	return w
}

// reopen starts the window again.
func (w *world) reopen() {
	w.crawl = &crawls.Crawl{Name: "it", Crawl: follow.New(w.script)}
	var err error
	w.site, err = New(context.Background(), []*crawls.Crawl{w.crawl})
	w.must(err)
	w.Cleanup(w.crawl.Close)
}

// begin starts a new generation of the log, and seals the one before.
func (w *world) begin() {
	state := txlog.NewState("e")
	if w.log != nil {
		state = w.log.State
		w.log.Close()
	}
	var err error
	w.log, err = txlog.Begin(txlog.OS{}, w.script.Dir, state, nil)
	w.must(err)
	w.Cleanup(func() { w.log.Close() })
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// A file is an output of a run.
type file struct{ queue, ext, content string }

// commit appends a run of a stage, and writes its outputs. The inputs are gone with it.
func (w *world) commit(stage string, inputs []txlog.Name, files ...file) (names []txlog.Name) {
	w.Helper()
	tx := w.log.Number()
	w.last = tx
	c := &txlog.Commit{Tx: tx, Stage: stage, Read: -1, Run: w.ran()}
	if stage == "" {
		c.Seed = fmt.Sprint("seed ", tx)
	}
	for _, name := range inputs {
		c.Inputs = append(c.Inputs, txlog.Input{Name: name, Records: 1, Gone: true})
	}
	for i, f := range files {
		name := txlog.Name(f.queue + "/" + txlog.FileName("m", tx, i+1, f.ext))
		q := w.script.Queue(strings.Split(f.queue, "/")[0])
		c.Outputs = append(c.Outputs, txlog.Output{Name: name, Size: int64(len(f.content)), Hash: "0123456789abcdef",
			Records: 1, Export: q.Export})
		w.write(string(name), f.content)
		names = append(names, name)
	}
	w.must(w.log.Append(c))
	for _, name := range inputs {
		w.must(os.RemoveAll(filepath.Join(w.script.Dir, string(name))))
	}
	return names
}

// abort appends a failed run.
func (w *world) abort(stage string, run txlog.Run) {
	w.Helper()
	w.last = w.log.Number()
	w.must(w.log.Append(&txlog.Abort{Tx: w.last, Stage: stage, Why: "exit 1", Run: run}))
}

func (w *world) ran() txlog.Run {
	begin := w.now
	w.now = w.now.Add(time.Second)
	return txlog.Run{Command: []string{"x", "{in}"}, Start: begin, End: w.now, Exit: "0"}
}

// write writes a file of the crawl's directory.
func (w *world) write(name, content string) {
	w.Helper()
	path := filepath.Join(w.script.Dir, name)
	w.must(os.MkdirAll(filepath.Dir(path), 0o777))
	w.must(os.WriteFile(path, []byte(content), 0o666))
}

func zstded(text string) []byte {
	z, _ := zstd.NewWriter(nil)
	return z.EncodeAll([]byte(text), nil)
}

// get asks for an address below that of the crawl.
func (w *world) get(at string) *httptest.ResponseRecorder {
	w.Helper()
	answer := httptest.NewRecorder()
	w.site.ServeHTTP(answer, httptest.NewRequest("GET", "/c/it/"+at, nil))
	return answer
}

// page asks for a page, which must have the status and contain all the words.
func (w *world) page(status int, at string, words ...string) string {
	w.Helper()
	answer := w.get(at)
	text := answer.Body.String()
	if answer.Code != status {
		w.Fatalf("%s: status %d, want %d: %s", at, answer.Code, status, text)
	}
	for _, word := range words {
		if !strings.Contains(text, word) {
			w.Errorf("%s does not contain %q: %s", at, word, text)
		}
	}
	return text
}

// complete waits until the history is summed.
func (w *world) complete() {
	w.Helper()
	for range 1000 {
		share := 0.0
		w.must(w.crawl.With(func(_ *view.Crawl, p *past.Past) error { share = p.Share(); return nil }))
		if share == 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.Fatal("the history was not summed")
}
