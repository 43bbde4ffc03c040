package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/follow"
	"multitext/manager/internal/past"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

// even are stages that take equally long.
var even = map[string]time.Duration{"restrict": 200 * time.Millisecond, "fetch": 200 * time.Millisecond,
	"extract": 200 * time.Millisecond}

// TestBottleneck: the report names what holds a crawl up.
func TestBottleneck(t *testing.T) {
	slow := map[string]time.Duration{"restrict": 50 * time.Millisecond, "fetch": time.Second,
		"extract": 100 * time.Millisecond}
	for _, c := range []struct {
		name, flow string
		takes      map[string]time.Duration
		seeds      int
		want       []string
	}{
		{"a slow stage", fmt.Sprintf(flow, 4), slow, 8, []string{"The bottleneck was fetch: it ran for 100 %", "with 25 % of a processor",
			"extract, which reads what it writes, had no input for 90 %"}},
		{"a slow stage, and few processes", fmt.Sprintf(flow, 1), slow, 8,
			[]string{"The bottleneck was fetch: it ran for 8"}},
		{"few processes", fmt.Sprintf(flow, 1), even, 8, []string{"the limit of processes, jobs = 1: for"}},
		{"a stage with two jobs", strings.Replace(fmt.Sprintf(flow, 8), "[stage.fetch]", "[stage.fetch]\njobs = 2", 1),
			slow, 8, []string{"fetch: all of its 2 jobs ran for 100 %"}},
		{"little work", fmt.Sprintf(flow, 4), even, 1, []string{"There was no bottleneck"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.flow, c.takes)
			w.seed("links", c.seeds, time.Time{})
			w.run(300)
			for _, want := range c.want {
				if said := w.said(); !strings.Contains(said, want) {
					t.Errorf("it says %q, want %q", said, want)
				}
			}
		})
	}
}

// TestHeldUp: a crawl that waits for the time of its batches says so.
func TestHeldUp(t *testing.T) {
	w := newWorld(t, fmt.Sprintf(flow, 4), even)
	w.seed("fresh", 1, noon.Add(50*time.Second))
	w.now = noon.Add(60 * time.Second)
	w.run(3)
	said := w.said()
	if !strings.Contains(said, "waited most for fetch") || !strings.Contains(said, "inputs not due yet") {
		t.Errorf("it says %q", said)
	}
}

// TestNoManager: a time in which nothing ran though something could is no time of the crawl.
func TestNoManager(t *testing.T) {
	w := newWorld(t, fmt.Sprintf(flow, 1), even)
	w.seed("links", 4, time.Time{})
	w.run(200)
	w.now = w.now.Add(40 * time.Second)
	w.under, w.table = nil, nil
	w.seed("links", 1, time.Time{})
	w.run(2)
	r, text := w.read()
	if asleep := r.waits.asleep(); math.Abs(asleep-0.5) > 0.02 {
		t.Errorf("no manager ran for %v of the time, want half of it", asleep)
	}
	if !strings.Contains(text, "No manager ran for 50 % of the time") || !strings.Contains(text, "jobs = 1") {
		t.Errorf("the page does not say it: %s", r.waits.bottleneck(w.script, r.series.computing))
	}
}

// TestShortGap: a manager that takes some seconds between two runs still runs.
func TestShortGap(t *testing.T) {
	w := newWorld(t, fmt.Sprintf(flow, 1), even)
	w.seed("links", 4, time.Time{})
	w.run(20)
	w.now = w.now.Add(4 * time.Second)
	w.under, w.table = nil, nil
	w.seed("links", 1, time.Time{})
	w.run(2)
	if r, _ := w.read(); r.waits.asleep() != 0 || r.waits.share("restrict", ready) < 0.3 {
		t.Errorf("no manager ran for %v of the time", r.waits.asleep())
	}
}

// TestFigures: what the report says is what the views say.
func TestFigures(t *testing.T) {
	w := newWorld(t, fmt.Sprintf(flow, 4), even)
	w.each = 37
	w.change = func(c *txlog.Commit) {
		c.Reasons = []txlog.Count{{Name: "dull", N: 3}}
		c.Counts = []txlog.Count{{Name: "met", N: 1234}}
	}
	w.seed("links", 5, time.Time{})
	w.run(200)
	r, text := w.read()
	var status *view.Status
	var buckets []past.Bucket
	c := follow.New(w.script)
	defer c.Close()
	for summed := false; !summed; time.Sleep(time.Millisecond) {
		w.must(c.With(func(v *view.Crawl, p *past.Past) (err error) {
			status, err = p.Status(v)
			buckets, summed = p.Stage("fetch", r.from, r.to, 1), p.Share() == 1
			return err
		}))
	}
	if r.status.Ended != 205 || status.Ended != 205 || len(status.Stages) != 3 {
		t.Fatalf("%d transactions, want 205", r.status.Ended)
	}
	for _, s := range status.Stages {
		row := fmt.Sprintf(`<tr><th scope="row">%s</th><td class="state %s">%[2]s</td><td class="n">%d</td>`, s.Name, s.State,
			s.Runs)
		if !strings.Contains(text, row) {
			t.Errorf("no row %s", row)
		}
		if kept := len(r.runs.stages[s.Name].kept); int64(kept) != s.Runs {
			t.Errorf("%s: %d runs in the distribution, want %d", s.Name, kept, s.Runs)
		}
		i := slices.IndexFunc(status.Stages, func(o view.Stage) bool { return o.Name == s.Name })
		line, width := r.series.records[i], r.to.Sub(r.from).Seconds()/float64(len(r.series.records[i].Values))
		if got := sum(line.Values) * width; line.Name != s.Name || math.Abs(got-float64(s.Records)) > 1 {
			t.Errorf("%s: the line has %v records, want %d", s.Name, got, s.Records)
		}
		met := fmt.Sprintf(`<th scope="row">met</th><td class="n">%s</td>`, thousands(1234*s.Runs))
		if !strings.Contains(text, met) {
			t.Errorf("no %s", met)
		}
	}
	if share := r.waits.share("fetch", runs_); math.Abs(share-buckets[0].Wall/r.to.Sub(r.from).Seconds()) > 0.05 {
		t.Errorf("fetch ran at %v of the instants, and for %v s", share, buckets[0].Wall)
	}
	values := r.runs.stages["fetch"].values(wall)
	if slices.Min(values) != 0.2 || slices.Max(values) != 0.2 {
		t.Errorf("runs took %v", values)
	}
}

func thousands(n int64) string {
	text := fmt.Sprint(n)
	return text[:len(text)-3] + "\u202f" + text[len(text)-3:]
}

// hostile are texts that a page, a server or a stage may have put into a crawl.
var hostile = []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `javascript:alert(1)`,
	"\x1b[2J\u202egnp.exe", `</style></pre></details><iframe src="http://evil.test/">`, `{{.Policy}}`,
	`'--><svg onload=alert(1)>`}

// TestHostile: no text of a crawl becomes a part of the page.
func TestHostile(t *testing.T) {
	all := strings.Join(hostile, " ")
	w := newWorld(t, "# "+strings.ReplaceAll(strings.ReplaceAll(all, "\x1b", ""), "\u202e", "")+fmt.Sprintf(flow, 2), even)
	w.change = func(c *txlog.Commit) {
		c.Reasons = []txlog.Count{{Name: all, N: 3}}
		c.Counts = []txlog.Count{{Name: all, N: 3}}
		c.Because = []txlog.Because{{Name: all, N: 3, Example: all, Remedy: all}}
		c.Notes = []string{all}
	}
	w.seed("links", 2, time.Time{})
	w.run(4)
	w.must(w.log.Append(&txlog.Abort{Tx: w.log.Number(), Stage: "fetch", Why: all,
		Run: txlog.Run{Command: []string{all}, Start: w.now, End: w.now, Exit: "1", Stderr: all}}))
	_, text := w.read()
	checkAlone(t, text)
	if n := strings.Count(text, html.EscapeString("<script>alert(1)</script>")); n < 6 {
		t.Errorf("the texts are shown %d times only", n)
	}
}

var reference = regexp.MustCompile(`\s(src|href|style|on\w+|srcset|action)="([^"]*)"`)

const embeddedSVG = "data:image/svg+xml;base64,"

// checkAlone checks that a page needs nothing but itself, and has no element that could run
// anything.
func checkAlone(t *testing.T, text string) {
	t.Helper()
	known := strings.Fields("!DOCTYPE html head meta title style body a header strong nav main h1 h2 p ul li b span div " +
		"table caption thead tbody tr th td figure img details summary pre")
	for _, m := range regexp.MustCompile(`<([!a-zA-Z][^\s>/]*)([^>]*)>`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(known, m[1]) {
			t.Errorf("element %.100s", m[0])
		}
		for _, a := range reference.FindAllStringSubmatch(m[2], -1) {
			switch {
			case a[1] == "href" && strings.HasPrefix(a[2], "#"):
			case a[1] == "src" && m[1] == "img" && strings.HasPrefix(html.UnescapeString(a[2]), embeddedSVG):
				checkPicture(t, html.UnescapeString(a[2]))
			default:
				t.Errorf("attribute %.100s", a[0])
			}
		}
	}
	_, rest, _ := strings.Cut(text, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if got := regexp.MustCompile(`Policy" content="([^"]*)"`).FindStringSubmatch(text); got == nil ||
		html.UnescapeString(got[1]) != policy || len(style) < 1000 {
		t.Errorf("the policy is %q, want %q", got, policy)
	}
	if strings.Contains(style, "url(") || strings.Contains(style, "@import") {
		t.Error("the style refers to something")
	}
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("a control character is left")
	}
}

func checkPicture(t *testing.T, source string) {
	t.Helper()
	svg, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(source, embeddedSVG))
	if err != nil || !strings.HasPrefix(string(svg), "<svg ") {
		t.Errorf("a picture is none: %v, %.200s", err, svg)
	}
	for _, bad := range []string{"href", "<script", "@import", "<foreignObject", "<image"} {
		if strings.Contains(string(svg), bad) {
			t.Errorf("a picture has %s", bad)
		}
	}
	if strings.Count(string(svg), "url(") != strings.Count(string(svg), "url(#arrow)") {
		t.Error("a picture refers to something")
	}
}

// TestBounded: the report of a longer crawl is not larger.
func TestBounded(t *testing.T) {
	size := func(runs int) int {
		w := newWorld(t, fmt.Sprintf(flow, 4), even)
		w.each = 200
		w.seed("links", 5, time.Time{})
		w.run(runs)
		for i := range runs / 10 {
			w.must(w.log.Append(&txlog.Abort{Tx: w.log.Number(), Stage: "fetch", Why: "exit 1",
				Run: txlog.Run{Start: w.now, End: w.now, Exit: "1", Stderr: strings.Repeat(fmt.Sprint(i), 4000)}}))
		}
		_, text := w.read()
		checkAlone(t, text)
		return len(text)
	}
	short, long := size(600), size(6000)
	if long > short*5/4 || long > 1_500_000 {
		t.Errorf("%d bytes, beside %d of a tenth of the runs", long, short)
	}
}

// TestSample: what is kept of the runs is bounded, spread over all, and has the extremes.
func TestSample(t *testing.T) {
	s := newSample()
	for i := range 100_001 {
		s.add([measures]float64{float64(i), 1, 1})
	}
	values := s.values(wall)
	if len(values) > mostRuns+2 || len(values) < mostRuns/2 || slices.Max(values) != 100_000 || slices.Min(values) != 0 {
		t.Errorf("%d values from %v to %v", len(values), slices.Min(values), slices.Max(values))
	}
	slices.Sort(values)
	if median := values[len(values)/2]; math.Abs(median-50_000) > 500 {
		t.Errorf("the median is %v", median)
	}
	if got := (*sample)(nil).values(wall); got != nil {
		t.Errorf("no runs have values %v", got)
	}
}

// TestTrimmed: the report says of what it has no history.
func TestTrimmed(t *testing.T) {
	w := newWorld(t, fmt.Sprintf(flow, 4), even)
	w.each = 50
	w.seed("links", 5, time.Time{})
	w.run(200)
	w.must(w.log.Trim(0))
	r, text := w.read()
	if r.status.Ended != 205 || r.gone() < 50 || r.gone() > 200 {
		t.Errorf("of %d transactions %d are without history", r.status.Ended, r.gone())
	}
	if !strings.Contains(text, fmt.Sprintf("The history of the first %d transactions was deleted", r.gone())) {
		t.Error("the page does not say it")
	}
}

// TestKinds: every start condition that a past state can fail has a name and a colour.
func TestKinds(t *testing.T) {
	w := newWorld(t, fmt.Sprintf(flow, 4), even)
	c := follow.New(w.script)
	defer c.Close()
	seen := 0
	w.must(c.With(func(v *view.Crawl, _ *past.Past) error {
		for _, k := range v.Why("fetch", "").Conditions {
			if kindOf(k.Name) < 0 && !slices.Contains([]string{sched.NotStopping, sched.JobsFree, sched.DiskFree}, k.Name) {
				t.Errorf("the condition %q is not shown", k.Name)
			}
			seen++
		}
		return nil
	}))
	for _, k := range kinds[1:] {
		if !slices.ContainsFunc([]string{notDue, ready, noManager}, func(own string) bool { return own == k.name }) {
			seen--
		}
	}
	if seen != 3 {
		t.Errorf("there are %d conditions that are not shown, want 3", seen)
	}
}

// TestNotBegun: a crawl that never ran has a report.
func TestNotBegun(t *testing.T) {
	w := newWorld(t, fmt.Sprintf(flow, 4), even)
	_, text := w.read()
	checkAlone(t, text)
	if !strings.Contains(text, "Nothing ran yet.") {
		t.Error("it does not say that nothing ran")
	}
}
