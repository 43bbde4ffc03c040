package site

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// run gives a crawl a run that has not ended.
func (w *world) run(stage string) {
	w.Helper()
	tx := w.log.Number()
	w.write(fmt.Sprintf("work/%s/run", txlog.TxDir(tx)), fmt.Sprintf(`{"stage":%q,"start":%q}`, stage,
		time.Now().Format(time.RFC3339)))
}

// hold makes the test the manager of the crawl.
func (w *world) hold() {
	w.Helper()
	d := &workdir.Dir{Root: w.script.Dir}
	w.must(d.Lock())
	w.Cleanup(func() { d.Unlock() })
}

// states are crawls in all states, with a word of their overview and of the page of stage one.
func states() map[string]struct {
	status          int
	make            func(*world)
	overview, stage string
} {
	type state = struct {
		status          int
		make            func(*world)
		overview, stage string
	}
	one := func(w *world) []txlog.Name {
		w.begin()
		return w.commit("", nil, file{"a", "zst", "1\n"})
	}
	return map[string]state{
		"not begun": {200, func(*world) {}, "The crawl has not begun.", "no manager runs the crawl"},
		"running":   {200, func(w *world) { one(w); w.hold(); w.run("one") }, "The crawl runs: one.", "It has run for"},
		"resumed": {200, func(w *world) {
			w.begin()
			w.now = time.Now().Add(-time.Hour)
			w.commit("one", nil)
			w.hold()
		}, "The crawl was resumed", "It does not run"},
		"records missing": {200, func(w *world) {
			one(w)
			w.begin()
			w.must(os.RemoveAll(filepath.Join(w.script.Dir, txlog.HistoryDir)))
		}, "The history lacks the first 1 transaction:", "no manager runs"},
		"killed": {200, func(w *world) { one(w); w.run("one") },
			"its manager was killed. The next start rolls 1 run back.</h1>",
			"no manager runs the crawl"},
		"waiting": {200, func(w *world) { one(w); w.hold() }, "The crawl waits", "It starts when its turn comes."},
		"stopped": {200, func(w *world) { one(w) }, "The crawl is stopped, and work waits.", "no manager runs the crawl"},
		"ended": {200, func(w *world) { w.commit("one", one(w)) }, "nothing is left to do",
			"Nothing waits for it, and no manager runs the crawl"},
		"resting": {200, func(w *world) {
			one(w)
			w.must(w.log.Append(&txlog.Abort{Tx: w.log.Number(), Stage: "one", Why: "exit 1", Run: w.ran(), Row: 4,
				Rest: time.Now().Add(time.Hour)}))
			w.hold()
		}, "one does not run: it rests (rests after 4 failures in a row", "It does not run: it rests"},
		"set aside": {200, func(w *world) {
			mark := txlog.Mark{Name: one(w)[0], Stage: "one", Fails: 4, Aside: true}
			w.must(w.log.Append(&txlog.Abort{Tx: w.log.Number(), Stage: "one", Why: "exit <9>", Run: w.ran(),
				Marks: []txlog.Mark{mark}}))
		}, "<span class=\"bad\">exit &lt;9&gt;</span>", "no manager runs the crawl"},
		"edited": {200, func(w *world) {
			one(w)
			w.write("history/script.toml", flow+"# edited since\n")
		}, "was edited since the last start", "no manager runs the crawl"},
		"damaged": {500, func(w *world) {
			w.commit("one", one(w))
			path := filepath.Join(w.script.Dir, txlog.LogFile)
			text, err := os.ReadFile(path)
			w.must(err)
			text[len(text)/2] ^= 1
			w.must(os.WriteFile(path, text, 0o666))
		}, "This cannot be shown", "This cannot be shown"},
	}
}

// inline is what the policy of the pages forbids.
var inline = regexp.MustCompile(`(?i)<style|\sstyle=|\son\w+=|<script[^>]*>[^<]|javascript:|https?://`)

// TestPagesOfEachState: each page of a crawl is shown in each state that a crawl can be in. It says
// what the state is, and has no script or style in it. status.json is what manager status prints.
func TestPagesOfEachState(t *testing.T) {
	for name, state := range states() {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			state.make(w)
			w.page(state.status, "", state.overview)
			w.page(state.status, "stage/one", state.stage)
			for at := range w.site.contents() {
				at = strings.NewReplacer("{$}", "", "{stage}", "two", "{tx}", "1", "{queue}", "a").Replace(at)
				text := w.get(at).Body.String()
				if found := inline.FindString(text); found != "" {
					t.Errorf("%s contains %q", at, found)
				}
				if !strings.Contains(text, "<h1") || !strings.HasSuffix(text, "</html>\n") {
					t.Errorf("%s is no whole page with a head: %s", at, text)
				}
			}
			if state.status == 200 {
				w.sameStatus()
			}
		})
	}
}

// sameStatus compares status.json with what manager status -json prints.
func (w *world) sameStatus() {
	w.Helper()
	c, err := view.Open(w.script, time.Now())
	w.must(err)
	var failures view.AsideRuns
	w.must(failures.Explain(c))
	want, err := c.Status(&failures)
	w.must(err)
	got := &view.Status{}
	w.must(json.Unmarshal(w.get("status.json").Body.Bytes(), got))
	for _, s := range []*view.Status{want, got} {
		for i := range s.Stages {
			s.Stages[i].Pace, s.Stages[i].Left = 0, 0
		}
		s.Left = 0
	}
	a, err := json.Marshal(want)
	w.must(err)
	b, err := json.Marshal(got)
	w.must(err)
	if !bytes.Equal(a, b) {
		w.Errorf("status.json is\n%s, and status -json prints\n%s", b, a)
	}
}

// TestHostileNames: what a crawl contains is text on a page, whatever it is.
func TestHostileNames(t *testing.T) {
	w := newWorld(t)
	w.begin()
	const evil = `<img src=x onerror="alert(1)">'&` + "\u202e\x1b[2J"
	a := w.commit("", nil, file{"a", "txt", evil + "\n"})
	tx := w.log.Number()
	w.must(w.log.Append(&txlog.Commit{Tx: tx, Stage: "one", Read: 1, Run: w.ran(),
		Inputs:  []txlog.Input{{Name: a[0], Records: 1, Gone: true}},
		Reasons: []txlog.Count{{Name: "dull-<b>", N: 1}}, Counts: []txlog.Count{{Name: "\"><script>", N: 2}}}))
	w.must(w.log.Append(&txlog.Abort{Tx: w.log.Number(), Stage: "one", Why: evil, Run: w.ran()}))
	w.write("a/"+"<script>alert(2)<", "foreign")
	all := append(slices.Collect(maps.Keys(w.site.contents())), slices.Collect(maps.Keys(w.site.costly()))...)
	for _, at := range all {
		at = strings.NewReplacer("{$}", "", "{stage}", "one", "{tx}", fmt.Sprint(tx), "{queue}", "a", "{file...}",
			a[0].File()).Replace(at)
		text := w.get(at).Body.String()
		for _, bad := range []string{"<img src=x", "dull-<b>", "\"><script>", "\u202e", "\x1b"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s contains %q", at, bad)
			}
		}
	}
	w.page(200, "", "&lt;script&gt;alert(2)&lt;")
	w.page(200, "batch/"+string(a[0]), "&lt;img src=x onerror=")
	w.page(200, "stage/one", "dull-&lt;b&gt;", "Its last runs", "&lt;img src=x onerror=")
}

// TestManyCrawls: all crawls have a row, also one that cannot be read.
func TestManyCrawls(t *testing.T) {
	good, bad := newWorld(t), newWorld(t)
	good.begin()
	bad.begin()
	bad.write(txlog.LogFile, "no log\n")
	good.crawl.Name, bad.crawl.Name = "good", "bad"
	var err error
	good.site, err = New(context.Background(), append(good.site.crawls, bad.site.crawls...))
	good.must(err)
	text := good.at(t, "/")
	for _, want := range []string{"<h1>2 crawls</h1>", `<a href="/c/good/">good</a>`, `<a href="/c/bad/">bad</a>`,
		`class="bad">`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestResume: a crawl that is not through says with what command it goes on, and of each stage with
// work that no manager runs. Its figures are those of its life.
func TestResume(t *testing.T) {
	w := newWorld(t)
	w.begin()
	a := w.commit("", nil, file{"a", "zst", "1\n"}, file{"a", "zst", "2\n"})
	w.commit("one", a[:1])
	text := w.page(200, "", "manager run "+w.script.Path, `<td class="why">no manager runs the crawl</td>`)
	if row := text[strings.Index(text, "stage/one\">"):]; !strings.Contains(row[:500], `<td class="n">-</td><td class="n">-</td>`) {
		t.Errorf("a crawl that nobody runs has a pace: %s", row)
	}
	if w.commit("one", a[1:]); strings.Contains(w.page(200, ""), "manager run") {
		t.Error("a crawl that has ended says how it goes on")
	}
}

// TestRemedies: reasons have a column for what to do only if one of them says it, and their
// examples lead to the search.
func TestRemedies(t *testing.T) {
	w := newWorld(t)
	w.begin()
	because := []txlog.Because{{Name: "robots", N: 1, Example: "http://a.test/?x=1&y"}}
	w.must(w.log.Append(&txlog.Commit{Tx: w.log.Number(), Stage: "one", Read: -1, Run: w.ran(), Because: because}))
	text := w.page(200, "", `href="/c/it/find?text=http%3a%2f%2fa.test%2f%3fx%3d1%26y"`)
	if strings.Contains(text, "What to do") {
		t.Error("there is an empty column")
	}
	because[0].Remedy = "ask them"
	w.must(w.log.Append(&txlog.Commit{Tx: w.log.Number(), Stage: "two", Read: -1, Run: w.ran(), Because: because}))
	w.page(200, "", "What to do", "ask them")
	if report := w.page(200, "report", "ask them"); strings.Contains(report, "find?text") {
		t.Error("the report has a link to the window")
	}
}

// TestFirstStart: a crawl to which something was added before its first start is not resumed by it.
func TestFirstStart(t *testing.T) {
	w := newWorld(t)
	w.begin()
	w.now = time.Now().Add(-time.Hour)
	w.commit("", nil, file{"a", "zst", "1\n"})
	w.hold()
	if text := w.page(200, "", "The crawl waits"); strings.Contains(text, "was resumed") {
		t.Error(text)
	}
}

// TestStopsOfAResumedCrawl: the time that is left goes by what was made since the manager was
// started.
func TestStopsOfAResumedCrawl(t *testing.T) {
	w := newWorld(t)
	s, err := script.Parse(w.script.Path, []byte(flow+"[stop]\nrecords = { b = 1000 }\n"), nil)
	w.must(err)
	*w.script = *s
	w.begin()
	w.now = time.Now().Add(-50 * time.Minute)
	for range 100 { // before the manager was started
		w.commit("one", nil, file{"b", "zst", "1\n"})
	}
	w.hold()
	if text := w.page(200, "", "records in b: 100 of 1000 records"); strings.Contains(text, "about") {
		t.Errorf("time is said to be left though this manager made nothing: %s", text)
	}
	w.now = time.Now().Add(time.Second)
	w.commit("one", nil, file{"b", "zst", "1\n"})
	w.page(200, "", "about")
}

// TestStops: the limits of [stop], how near they are, and the time that is left.
func TestStops(t *testing.T) {
	w := newWorld(t)
	const limits = "[stop]\nrecords = { b = 4 }\nbytes = { b = \"1 kB\" }\ntime = \"2h\"\n"
	s, err := script.Parse(w.script.Path, []byte(flow+limits), nil)
	w.must(err)
	*w.script = *s
	w.begin()
	w.commit("one", w.commit("", nil, file{"a", "zst", "1\n"}), file{"b", "zst", "12345"})
	w.page(200, "", "Limits of [stop]", "records in b: 1 of 4 records", "25 %", "bytes in b: 5 B of 1.0 kB")
	w.commit("", nil, file{"a", "zst", "2\n"}) // work waits
	for range 3 {
		w.commit("", nil, file{"b", "zst", "1\n"})
	}
	w.page(200, "", "The crawl has stopped at a limit: records in b.")
}
