package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"multitext/manager/internal/window/peek"
	"multitext/txlog"
)

// TestQueueIsListed: the pages of a queue have each file once, the newest first, and nothing else.
func TestQueueIsListed(t *testing.T) {
	w := newWorld(t)
	w.begin()
	var want []string
	for range 60 {
		for _, name := range w.commit("one", nil, file{"b", "zst", "1"}, file{"b", "zst", "2"}, file{"sent", "txt", "3"},
			file{"sent/folder", "txt", "4"}) {
			want = append(want, string(name))
		}
	}
	slices.SortFunc(want, func(a, b string) int { return peek.Newer(txlog.Name(a), txlog.Name(b)) })
	part := func(parts ...string) []string {
		return slices.DeleteFunc(slices.Clone(want), func(name string) bool {
			return !slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(name, p) })
		})
	}
	// The queue was exported only later, so a batch is live and in the folder.
	live := txlog.Name("sent/" + txlog.FileName("m", w.log.Number(), 3, "txt"))
	w.must(w.log.Append(&txlog.Commit{Tx: live.Tx(), Stage: "one", Run: w.ran(), Outputs: []txlog.Output{{Name: live, Hash: "0123456789abcdef"}}}))
	w.write(string(live), "")
	want = append([]string{string(live)}, want...)
	w.write("sent/notes.txt", "no batch")
	w.write("sent/folder/deeper/m-000000000001-00009.txt", "no batch")
	w.must(os.Symlink("notes.txt", filepath.Join(w.script.Dir, "sent/m-000000000001-00008.txt")))
	w.must(os.Mkdir(filepath.Join(w.script.Dir, "sent/m-000000000001-00007.txt"), 0o777))
	row := regexp.MustCompile(`<th scope="row"><a href="/c/it/batch/([^"]*)">`)
	for at, want := range map[string][]string{"queue/b": part("-00001", "-00002"), "queue/sent": part("-00003", "-00004"), "queue/c": nil} {
		if found := w.walk(at, "Older", row); !slices.Equal(found, want) {
			t.Errorf("%s lists %v, want %v", at, found, want)
		}
	}
	w.page(200, "queues", `href="/c/it/queue/b">b<`, `>120<`)
	w.page(404, "queue/work")
	w.page(404, "queue/nothing")
}

// TestBatch: a live batch, one that is gone, one that was exported, and one of which the history
// was removed.
func TestBatch(t *testing.T) {
	w := newWorld(t)
	w.page(404, "batch/a/m-000000000001-00001.zst", "no such batch")
	w.page(200, "queues")
	w.page(200, "products")
	w.page(200, "queue/a", "no file here")
	w.page(200, "find?text=x", "0 lines found")
	w.begin()
	a := w.commit("", nil, file{"a", "zst", "first\nsecond\n"})
	b := w.commit("one", a, file{"b", "zst", "middle\n"}, file{"sent", "txt", "sent"}, file{"sent/x", "txt", "sent"})
	w.complete()
	w.page(200, "batch/"+string(a[0]), "not there any more", `href="/c/it/tx/2">transaction 2<`, "all have read it")
	w.page(200, "batch/"+string(b[0]), "middle", "nobody yet", "two", `href="/c/it/tx/2">transaction 2<`, "owed by")
	w.page(200, "batch/"+string(b[1]), "it was exported", "nobody: no stage reads")
	w.page(200, "batch/"+string(b[2]), "it was exported")
	w.page(404, "batch/b/m-000000000001-00001.zst", "no such batch")
	w.page(404, "batch/b/m-000000000777-00001.zst", "no such batch")
	w.begin()
	w.complete()
	all, err := filepath.Glob(filepath.Join(w.script.Dir, "history", "log-*"))
	w.must(err)
	if len(all) == 0 {
		t.Fatal("there is no history to remove")
	}
	for _, path := range all {
		w.must(os.Remove(path))
	}
	w.page(200, "batch/"+string(b[0]), "middle", "is not in the history")
	w.page(404, "batch/"+string(a[0]), "no such batch")
	w.page(200, "tx")
}

// TestPathsAreRefused: no address leads to a file that is not in a queue of the crawl.
func TestPathsAreRefused(t *testing.T) {
	w := newWorld(t)
	w.begin()
	w.commit("one", nil, file{"page", "html", "made"}, file{"sent", "txt", "sent"})
	w.write("../secret", "SECRET")
	w.write("../page/m-000000000009-00001.html", "SECRET")
	w.write("secret/m-000000000001-00001.html", "SECRET")
	w.write("page/secret.html", "SECRET")
	w.write("page/x/m-000000000001-00001.html", "SECRET")
	w.write("work/m-000000000001-00001.html", "SECRET")
	w.must(os.Symlink("../../secret", filepath.Join(w.script.Dir, "sent/m-000000000002-00001.html")))
	w.must(os.Symlink("../page", filepath.Join(w.script.Dir, "sent/linked")))
	w.must(os.Mkdir(filepath.Join(w.script.Dir, "sent/m-000000000004-00001.html"), 0o777))
	w.must(syscall.Mkfifo(filepath.Join(w.script.Dir, "sent/m-000000000003-00001.html"), 0o666))
	for _, route := range []string{"batch/", "raw/", "download/"} {
		for _, at := range []string{"page/../../secret", "page/%2e%2e/%2e%2e/secret", "page/..%2f..%2fsecret", "page/%2e%2e%2f%2e%2e%2fsecret",
			"..%2fpage/m-000000000009-00001.html", "%2e%2e/page/m-000000000009-00001.html", "%2fetc%2fpasswd", "/etc/passwd",
			"secret/m-000000000001-00001.html", "page/secret.html", "work/m-000000000001-00001.html", "page/m-000000000009-00001.html",
			"page/..%2f..%2fpage%2fm-000000000009-00001.html", "sent/m-000000000002-00001.html", "page/m-000000000001-00001.html%00",
			"sent/linked/m-000000000001-00001.html", "sent/m-000000000003-00001.html", "sent/m-000000000004-00001.html",
			"page/", "page/.", "log", "./log", "page%2fm-000000000001-00001.html"} {
			answer := w.get(route + at)
			if strings.Contains(answer.Body.String(), "SECRET") || strings.Contains(answer.Body.String(), "root:") ||
				answer.Code == 200 && route != "batch/" {
				t.Errorf("%s%s: status %d, %s", route, at, answer.Code, answer.Body)
			}
		}
	}
	if text := w.page(200, "find?text=SECRET", "0 lines found"); strings.Contains(text, "<mark>SECRET") {
		t.Error(text)
	}
}

// TestProducts: what a stage has made is shown in a frame that can do nothing, whatever is in it.
func TestProducts(t *testing.T) {
	w := newWorld(t)
	w.begin()
	evil := "<script>alert(1)</script><img src=http://127.0.0.1:1/>"
	old := w.commit("one", nil, file{"page", "html", "old"}, file{"b", "zst", "x"})
	made := w.commit("one", nil, file{"page", "html", string(zstded(evil))}, file{"table", "tsv", "n\tword\n1\t" + evil + "\n"},
		file{"sent", "svg", "<svg/>"})
	text := w.page(200, "products", fmt.Sprintf(`<iframe class="pane small" sandbox title="The newest file of queue page" src="/c/it/raw/%s">`, made[0]),
		`href="/c/it/batch/`+string(old[0]), `href="/c/it/download/`+string(made[1]), `href="/c/it/queue/sent">`)
	if strings.Count(text, "<iframe") != 1 || strings.Contains(text, string(old[1])) || strings.Contains(text, "alert(1)") {
		t.Errorf("the products are %s", text)
	}
	w.page(200, "batch/"+string(made[0]), `<iframe class="pane" sandbox title=`, `src="/c/it/raw/`+string(made[0]))
	w.page(200, "", `href="/c/it/batch/`+string(made[0])+`">page</a>`)
	w.page(200, "stage/one", `href="/c/it/batch/`+string(made[0])+`">page</a>`)
	if text := w.page(200, "stage/two"); strings.Contains(text, string(made[0])) {
		t.Error("another stage has the page")
	}
	table := w.page(200, "batch/"+string(made[1]), "<td>word</td></tr>", "<td>&lt;script&gt;alert(1)")
	if strings.Contains(table, "<script>alert") || strings.Contains(table, "<iframe") {
		t.Errorf("the table is %s", table)
	}
	raw := w.get("raw/" + string(made[0]))
	if raw.Body.String() != evil || raw.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("the frame has %q, %v", raw.Body, raw.Header())
	}
	policy := raw.Header().Get("Content-Security-Policy")
	for _, part := range []string{"sandbox;", "default-src 'none';", "img-src data:", "form-action 'none'", "frame-ancestors 'self'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy of the frame has no %s: %s", part, policy)
		}
	}
	if strings.Contains(policy, "allow-") || strings.Contains(policy, "script-src") {
		t.Errorf("the frame may do too much: %v", raw.Header())
	}
	if svg := w.get("raw/" + string(made[2])); svg.Header().Get("Content-Type") != "image/svg+xml" {
		t.Errorf("%v", svg.Header())
	}
	w.page(404, "raw/"+string(made[1]), "Only HTML")
	down := w.get("download/" + string(made[0]))
	if down.Header().Get("Content-Disposition") != `attachment; filename="page-m-000000000002-00001.html"` ||
		down.Header().Get("Content-Type") != "application/octet-stream" || !strings.Contains(down.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%v", down.Header())
	}
}

// TestFramesAreBounded: of a product that unpacks to more than a frame may have, the browser is
// told that it is not whole.
func TestFramesAreBounded(t *testing.T) {
	w := newWorld(t)
	w.begin()
	made := w.commit("one", nil, file{"page", "html", string(zstded(strings.Repeat("x", 3*frameBytes)))})
	out := httptest.NewRecorder()
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("it is told as whole: %v", p)
			}
		}()
		w.site.ServeHTTP(out, httptest.NewRequest("GET", "/c/it/raw/"+string(made[0]), nil))
	}()
	if n := out.Body.Len(); n != frameBytes {
		t.Errorf("the frame has %d bytes", n)
	}
}

// TestFind: hits lead to batch, line and transaction, and a text of the crawl stays a text.
func TestFind(t *testing.T) {
	w := newWorld(t)
	w.begin()
	evil := "http://x.test/<script>alert(1)</script>\u202e"
	a := w.commit("", nil, file{"a", "zst", "x\n" + evil + "\treason=robots\n"})
	b := w.commit("one", nil, file{"b", "zst", string(zstded(evil + "\n"))}, file{"sent", "txt", evil})
	text := w.page(200, "find?text=%3Cscript%3E", "3 lines found in 3 files", "All files were searched",
		`href="/c/it/batch/`+string(a[0])+`?line=2"`, `href="/c/it/tx/1"`, `href="/c/it/batch/`+string(b[0])+`?line=1"`,
		`http://x.test/<mark>&lt;script&gt;</mark>alert(1)`, "reason=robots", `value="&lt;script&gt;"`)
	if strings.Contains(text, "<script>alert") || strings.Contains(text, "\u202e") {
		t.Error(text)
	}
	if strings.Index(text, string(a[0])) < strings.Index(text, string(b[0])) {
		t.Error("the newest is not first")
	}
	for _, words := range []string{`href="/c/it/queue/a">a</a>: 1 line`, `<a href="/c/it/stage/two">two</a>`, "no stage reads them"} {
		if !strings.Contains(text, words) {
			t.Errorf("no %s in %s", words, text)
		}
	}
	w.page(200, "find?text=robots+%22x.test/%3Cscript%22", "1 line found in 3 files", `href="/c/it/queue/a">a</a>: 1 line in 1 file`)
	w.page(200, "find?text=robots+nobody", "0 lines found")
	w.commit("one", nil, file{"c", "txt", strings.Repeat("often\n", 30)})
	often := w.page(200, "find?text=often", "30 lines found", `>c</a>: 30 lines in 1 file`, "only the first lines are shown")
	if n := strings.Count(often, "<mark>often</mark>"); n != 20 {
		t.Errorf("%d lines of a file are shown", n)
	}
	w.page(200, "find", "Find a text")
	const joined = "\u0645\u06cc\u200c\u062e" // a Persian word with a joiner, which the field gives back as it is
	w.page(200, "find?text="+url.QueryEscape(joined), `value="`+joined+`"`)
	w.page(200, "find?text="+url.QueryEscape("a\u202eb"), `value="aU+202Eb"`)
	w.page(200, "find?text="+strings.Repeat("x", mostText+1), "too long")
	if strings.Contains(text, "live.js") {
		t.Error("the search is live")
	}
	var want []string
	for n := range 8 {
		for _, name := range w.commit("one", nil, file{"b", "zst", strings.Repeat(fmt.Sprintf("many %d\n", n), 18)}) {
			for range 18 {
				want = append(want, name.File())
			}
		}
	}
	slices.Reverse(want)
	for i := range 6 { // these are large, or have no records, so they come last though they are the newest
		late := file{"b", "zst", strings.Repeat("many\n", 18) + strings.Repeat("x", small)}
		if i > 3 {
			late = file{[]string{"page", "table"}[i-4], []string{"html", "tsv"}[i-4], strings.Repeat("many\n", 18)}
		}
		names := w.commit("one", nil, late)
		want = slices.Insert(want, 8*18, slices.Repeat([]string{names[0].File()}, 18)...)
	}
	row := regexp.MustCompile(`\?line=\d+">([^,]*),`)
	if found := w.walk("find?text=many", "Search on, from [^<]*", row); !slices.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
}
