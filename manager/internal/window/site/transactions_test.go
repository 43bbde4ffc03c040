package site

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"multitext/txlog"
)

// walk follows the links with the text to the end of a list, and returns what the expression finds.
func (w *world) walk(at, next string, row *regexp.Regexp) (found []string) {
	w.Helper()
	link := regexp.MustCompile(`href="/c/it/([^"]*)"[^>]*>` + next + `<`)
	for range 1000 {
		text := w.page(200, at)
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		m := link.FindStringSubmatch(text)
		if m == nil {
			return found
		}
		at = html.UnescapeString(m[1])
	}
	w.Fatalf("the list from %s has no end", at)
	return nil
}

// TestTransactionsAreListed: the pages together have each transaction of the filter once, the
// newest first, over several generations.
func TestTransactionsAreListed(t *testing.T) {
	w := newWorld(t)
	var all, failed []string
	for i := range 260 {
		if i%90 == 0 {
			w.begin()
		}
		if i%2 == 0 {
			w.abort("two", w.ran())
			failed = append(failed, fmt.Sprint(w.last))
		} else {
			w.commit("one", nil)
		}
		all = append(all, fmt.Sprint(w.last))
	}
	slices.Reverse(all)
	slices.Reverse(failed)
	w.complete()
	row := regexp.MustCompile(`<th scope="row"><a href="/c/it/tx/(\d+)">`)
	for at, want := range map[string][]string{
		"tx": all, "tx?stage=two": failed, "tx?result=abort": failed, "tx?stage=none": nil, "tx?stage=one&result=abort": nil,
		"tx?from=2026-11-21T12:01:00Z&to=2026-11-21T12:02:00Z": all[141:201],
	} {
		if found := w.walk(at, "Older", row); !slices.Equal(found, want) {
			t.Errorf("%s lists %v, want %v", at, found, want)
		}
	}
	w.page(200, "tx?from=yesterday", "cannot be read")
	w.page(404, "tx?before=x")
	w.page(200, "tx", `<td class="n">1s</td>`)
}

// TestLineage: from a product each link back leads to the run that made a batch, up to the seed,
// and each link on to the runs that have read it.
func TestLineage(t *testing.T) {
	w := newWorld(t)
	w.begin()
	in := w.commit("", nil, file{"a", "zst", "seed"})
	other := w.commit("", nil, file{"a", "zst", "other seed"})
	middle := w.commit("one", slices.Concat(in, other), file{"b", "zst", "middle"})
	w.begin()
	w.commit("two", middle, file{"c", "txt", "end"}, file{"a", "zst", "again"})
	w.complete()
	w.page(200, "tx/4", `href="/c/it/tx/3">made by 3<`, `href="/c/it/batch/b/m-000000000003-00001.zst"`)
	text := w.page(200, "tx/4")
	_, way, _ := strings.Cut(text, "A way back")
	var steps []string
	for _, m := range regexp.MustCompile(`<li><a href="/c/it/tx/(\d+)"`).FindAllStringSubmatch(way, -1) {
		steps = append(steps, m[1])
	}
	if !slices.Equal(steps, []string{"4", "3", "1"}) || !strings.Contains(way, "adds the seed seed 1") ||
		!strings.Contains(way, "and 1 other<") {
		t.Errorf("the way back is %v: %s", steps, way)
	}
	w.page(200, "tx/3", `href="/c/it/tx/4">read by 4<`, `href="/c/it/tx/1">made by 1<`, `href="/c/it/tx/2">made by 2<`)
	w.page(200, "tx/1", `href="/c/it/tx/3">read by 3<`)
}

// TestTransactionsThatAreNotThere: a crawl without a log, and numbers that are none.
func TestTransactionsThatAreNotThere(t *testing.T) {
	w := newWorld(t)
	w.page(200, "tx", "No transaction has ended")
	w.page(404, "tx/1", "has not begun")
	w.begin()
	w.page(404, "tx/1", "there is no transaction 1")
	for _, number := range []string{"0", "-1", "x", "99999999999999999999", "1%2f..", "%00"} {
		w.page(404, "tx/"+number)
	}
}

// TestHistoryThatCannotBeRead: a transaction or batch is not said to be absent if the part of the
// history with it cannot be read.
func TestHistoryThatCannotBeRead(t *testing.T) {
	w := newWorld(t)
	w.begin()
	a := w.commit("", nil, file{"a", "zst", "seed"})
	w.begin()
	w.commit("one", a)
	aside := w.commit("", nil, file{"a", "zst", "bad"})
	w.must(w.log.Append(&txlog.Abort{Tx: w.log.Number(), Stage: "one", Why: "exit 9", Run: w.ran(),
		Marks: []txlog.Mark{{Name: aside[0], Stage: "one", Fails: 4, Aside: true}}}))
	w.complete()
	w.page(200, "tx/1")
	w.page(200, "", "exit 9")
	sealed := filepath.Join(w.script.Dir, txlog.HistoryDir, "log-000001.zst")
	w.must(os.Remove(sealed))
	w.page(404, "tx/1", "its part of the history was removed")
	w.must(os.Mkdir(sealed, 0o777))
	w.page(500, "tx/1", "is a directory")
	w.page(500, "batch/"+string(a[0]), "is a directory")
	w.reopen()
	w.complete()
	for _, at := range []string{"", "report"} { // the rest is shown
		w.page(200, at, "A part of the history cannot be read", "exit 9")
	}
	w.page(200, "stage/one")
	w.page(200, "tx/2", "made by 1")
}

// TestTransactionWithHostileTexts: what a run printed and said is text on the page.
func TestTransactionWithHostileTexts(t *testing.T) {
	w := newWorld(t)
	w.begin()
	run := w.ran()
	evil := "<script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m\u202e'\"&"
	run.Stderr, run.Command = evil, []string{"x", evil}
	c := &txlog.Commit{Tx: w.log.Number(), Stage: "one", Read: -1, Run: run, Notes: []string{evil},
		Because: []txlog.Because{{Name: "dull", N: 1, Example: evil, Remedy: evil}}}
	w.must(w.log.Append(c))
	text := w.page(200, "tx/1", "&lt;script&gt;alert(1)", "U+202E", "U+001B")
	list := w.page(200, "tx?stage="+"%3Cscript%3Ealert(1)%3C/script%3E&from=%22%3E%3Cimg%3E")
	for _, bad := range []string{"<script>alert", "<img", "\x1b", "\u202e"} {
		if strings.Contains(text+list, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
}

// TestTransactionThatWasCutOff: a run that its manager has left is listed, and shown with what it
// has written so far. Its page is live: the next start rolls it back.
func TestTransactionThatWasCutOff(t *testing.T) {
	w := newWorld(t)
	w.begin()
	a := w.commit("", nil, file{"a", "zst", "seed"})
	run := fmt.Sprintf(`{"stage":"one","epoch":"e","inputs":[%q],"command":["fetch","{in}"],"start":"2026-11-21T12:00:00Z"}`, a[0])
	w.write("work/000000000002/run", run)
	w.write("work/000000000002/stderr", "<script>alert(1)</script>\n")
	w.write("work/000000000002/b/m-000000000002-00001.zst", "so far")
	w.page(200, "tx", `href="/c/it/tx/2">2<`, "Not ended")
	w.page(200, "tx?stage=one", "Not ended")
	for _, at := range []string{"tx?stage=two", "tx?result=commit"} {
		if text := w.page(200, at); strings.Contains(text, "Not ended") {
			t.Errorf("%s: %s", at, text)
		}
	}
	text := w.page(200, "tx/2", "transaction 2: cut-off one", `href="/c/it/tx/1">made by 1<`, "m-000000000002-00001.zst",
		"&lt;script&gt;alert(1)", "live.js")
	if strings.Contains(text, "<script>alert") {
		t.Error(text)
	}
	if text := w.page(200, "tx/1"); strings.Contains(text, "live.js") {
		t.Error("a transaction that has ended is live")
	}
	w.page(200, "batch/b/m-000000000002-00001.zst", "so far</td>", "its run has not ended")
}

// TestReadersThatCannotBeRead: a batch and its transaction are shown, and that their readers are
// not known, if the part of the history with these cannot be read.
func TestReadersThatCannotBeRead(t *testing.T) {
	w := newWorld(t)
	w.begin()
	a := w.commit("", nil, file{"a", "zst", "seed"})
	w.begin()
	w.commit("one", a)
	w.begin()
	w.complete()
	w.page(200, "batch/"+string(a[0]), "transaction 2</a>")
	sealed := filepath.Join(w.script.Dir, txlog.HistoryDir, "log-000002.zst")
	w.must(os.Remove(sealed))
	w.must(os.Mkdir(sealed, 0o777))
	w.page(200, "batch/"+string(a[0]), "unknown (the search in the history ended early)")
	w.page(200, "tx/1", "adds the seed")
}
