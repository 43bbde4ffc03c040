package site

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

// TestCharts: the page of a stage has its figures over time, also its reasons and counters by name,
// the most frequent ones. Each picture is there.
func TestCharts(t *testing.T) {
	w := newWorld(t)
	w.begin()
	c := &txlog.Commit{Tx: w.log.Number(), Stage: "one", Read: 500, Run: w.ran(),
		Counts: []txlog.Count{{Name: "pages<b>", N: 77}, {Name: "page-bytes", N: 1e9}}}
	c.Because = []txlog.Because{{Name: "robots", N: 60, Example: "http://a.test/"}}
	for i := range 8 {
		c.Reasons = append(c.Reasons, txlog.Count{Name: fmt.Sprint("reason-", i), N: int64(10 + i)})
	}
	w.must(w.log.Append(c))
	text := w.get("stage/one").Body.String()
	pictures := regexp.MustCompile(`src="(/c/it/chart/[^"]*)"`).FindAllStringSubmatch(text, -1)
	if len(pictures) != len(stageLines()) {
		t.Errorf("%d pictures, want %d", len(pictures), len(stageLines()))
	}
	for _, want := range []string{"robots:", "reason-7:", "reason-3:", "pages&lt;b&gt;:"} {
		if !strings.Contains(text, want) {
			t.Errorf("no picture says %q", want)
		}
	}
	if strings.Contains(text, "page-bytes:") {
		t.Error("bytes are drawn in one picture with other counters")
	}
	if strings.Contains(text, "reason-2:") {
		t.Errorf("more than %d reasons are drawn", mostNamed)
	}
	for _, p := range pictures {
		at := strings.TrimPrefix(strings.ReplaceAll(p[1], "&amp;", "&"), "/c/it/")
		if r := w.get(at); r.Code != http.StatusOK || !strings.Contains(r.Body.String(), "<svg") {
			t.Errorf("%s: %d", at, r.Code)
		}
	}
	if text := w.get("stage/two").Body.String(); strings.Contains(text, "reasons.svg") {
		t.Error("a stage without reasons has a picture of them")
	}
}

// TestBusy: a stage that has been running for the last minute was busy in it, though no run has
// ended.
func TestBusy(t *testing.T) {
	w := newWorld(t)
	w.begin()
	w.now = time.Now().Add(-10 * time.Minute)
	w.commit("", nil, file{"a", "zst", "1\n"})
	w.hold()
	w.write(fmt.Sprintf("work/%s/run", txlog.TxDir(w.log.Number())), fmt.Sprintf(`{"stage":"one","start":%q}`,
		time.Now().Add(-5*time.Minute).Format(time.RFC3339)))
	w.must(w.crawl.With(func(v *view.Crawl, p *past.Past) error {
		d, err := summarize(v, p)
		w.must(err)
		if busy := d.Stages[0].Busy; busy != 1 || d.Stages[1].Busy != 0 {
			t.Errorf("stage one was busy for %v of the last minute, two for %v", busy, d.Stages[1].Busy)
		}
		l := &look{Request: httptest.NewRequest("GET", "/?span=10min", nil), Crawl: v, Past: p}
		from, to, _ := l.span("10min")
		i := slices.IndexFunc(stageLines(), func(k lines) bool { return k.name == "busy" })
		drawn := l.draw("one", stageLines()[i], from, to).Lines[0].Values
		if first, last := drawn[0], drawn[len(drawn)-2]; first != 0 || math.Abs(last-1) > 0.01 {
			t.Errorf("the picture shows %v runs in progress ten minutes ago, and %v now", first, last)
		}
		return nil
	}))
}
