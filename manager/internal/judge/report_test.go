package judge

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"multitext/txlog"
)

func loadText(t *testing.T, text string) (*report, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return load(path)
}

func TestReport(t *testing.T) {
	got, err := loadText(t, `in 10
out /w/q/m%20x 7 99 0123456789abcdef
made links 0 0 0000000000000000
made segment 1 2 -
reason seen 3
count merged-2 5
gauge waiting 0
because not-http 2 mini%0a.test write%20http://
because odd 1 - -
replaces /c/state/s/m-1
later /w/q/m%20x 2026-11-21T13:00:00+01:00
latest links 2026-11-21T12:00:00Z
note two%20words%0a%25
`)
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	want := &report{
		said: txlog.Commit{Read: 10, Notes: []string{"two words\n%"},
			Reasons: []txlog.Count{{Name: "seen", N: 3}}, Counts: []txlog.Count{{Name: "merged-2", N: 5}},
			Gauges: []txlog.Count{{Name: "waiting"}},
			Because: []txlog.Because{{Name: "not-http", N: 2, Example: "mini\n.test", Remedy: "write http://"},
				{Name: "odd", N: 1}}},
		files: []reported{{path: "/w/q/m x", records: 7, size: 99, hash: "0123456789abcdef"},
			{path: "links", hash: "0000000000000000", made: true}, {path: "segment", records: 1, size: 2, made: true}},
		replaces: []string{"/c/state/s/m-1"},
		later:    map[string]due{"/w/q/m x": {at: noon}, "links": {at: noon, latest: true}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// No report, an empty one and what is no file of some size say nothing.
func TestNoReport(t *testing.T) {
	if r, err := loadText(t, ""); r != nil || err != nil {
		t.Errorf("an empty one: %v, %v", r, err)
	}
	if r, err := load(filepath.Join(t.TempDir(), "none")); r != nil || err != nil {
		t.Errorf("none: %v, %v", r, err)
	}
	if _, err := load(t.TempDir()); err == nil {
		t.Error("a directory was read")
	}
}

// What is no report is an error that tells line and reason.
func TestReportRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"in 1\nout x\n": `line 2 of the report that it wrote to {report}, "out x": ` +
			`it has 2 fields, want the 5 of "out FILE RECORDS SIZE XXH64"`,
		"in 1 2\n": `it has 3 fields, want the 2 of "in N"`,
		"in  1\n":  `it has 3 fields, want the 2 of "in N"`,
		"\n": `no line begins with ""; there are: ` +
			`because, count, gauge, in, later, latest, made, note, out, reason, replaces`,
		"In 1\n":                                   `no line begins with "In"`,
		"in -1\n":                                  `N is "-1", want a number of at least 0; its form is "in N"`,
		"in 1e3\n":                                 `N is "1e3", want a number`,
		"in 9223372036854775808\n":                 "want a number of at least 0",
		"out x 1 2 0123456789ABCDEF\n":             "want 16 hex digits",
		"out x 1 2 123\n":                          "want 16 hex digits",
		"out x 1 2 --\n":                           "want 16 hex digits",
		"out %4 1 2 0123456789abcdef\n":            "bad escape",
		"replaces %zz\n":                           "bad escape",
		"later x tomorrow\n":                       "want a time such as 2006-",
		"later x 9999-12-31T23:59:59-01:00\n":      "beyond what the log can hold",
		"reason \x1b[2J 1\n":                       "want at most 100",
		"count Upper 1\n":                          "want at most 100",
		"count  1\n":                               "want at most 100",
		"count " + strings.Repeat("x", 101) + " 1": "want at most 100",
		"note " + strings.Repeat(" ", 1000):        "it has 6 fields",
		"note " + strings.Repeat("x", maxSize):     "the report has",
	} {
		if _, err := loadText(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

// The law: what came in went out or has a reason. Records of another unit do not
// count, and a report that does not say what came in is under no law.
func TestLawful(t *testing.T) {
	for text, lawful := range map[string]bool{
		"in 3\nout x 2 9 0123456789abcdef\nreason seen 1\n": true,
		"in 3\nout x 2 9 0123456789abcdef\n":                false,
		"in 3\nout x 4 9 0123456789abcdef\n":                false,
		"in 0\n":                                            true,
		"in 0\nmade x 5 9 0123456789abcdef\n":               true,
		"out x 4 9 0123456789abcdef\n":                      true,
		"in 2\nout x 1 9 0123456789abcdef\nout y 1 9 0123456789abcdef\ncount z 7": true,
	} {
		r, err := loadText(t, text)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.lawful(); (err == nil) != lawful {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Whatever a stage wrote, reading it ends without a panic, and what is accepted
// can stand in the log.
func FuzzReport(f *testing.F) {
	f.Add("in 10\nout /w/q/m%20x 7 99 0123456789abcdef\nreason seen 3\nnote a%25\n")
	f.Add("later x 2026-11-21T13:00:00+01:00\nreplaces %zz\ncount a 9223372036854775807")
	f.Add("\x00 \xff%")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := read(strings.NewReader(text))
		if err != nil {
			return
		}
		r.lawful()
		for _, c := range append(r.said.Reasons, r.said.Counts...) {
			if c.N < 0 || c.Name == "" || strings.ContainsAny(c.Name, " \t\x1b%") {
				t.Errorf("accepted %+v", c)
			}
		}
		for path, due := range r.later {
			if due.at.Location() != time.UTC || len(due.at.Format(time.RFC3339)) != len("2006-01-02T15:04:05Z") {
				t.Errorf("%q: accepted %v", path, due)
			}
		}
	})
}
