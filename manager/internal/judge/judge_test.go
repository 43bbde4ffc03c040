package judge

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A scene is a run of transaction 7 with the outputs b and e, of which e is for
// other machines, and the state seen with two segments.
type scene struct {
	t *testing.T
	Case
}

var have = []txlog.Name{"state/seen/m-000000000003-00001.seg", "state/seen/m-000000000005-00001.seg"}

func newScene(t *testing.T) *scene {
	t.Helper()
	root := t.TempDir()
	const text = `
flow = 1
dir  = "crawl"
[queue.a]
ext = "txt"
[queue.b]
ext = "txt"
[queue.e]
export = true
[stage.one]
in    = "a"
out   = ["b", "e"]
state = "seen"
run   = "true {in} {b} {e} {seen} {seen.new}"
[stage.two]
every = "1h"
out   = "a"
run   = "true {a} {report}"
[stage.three]
every = "1h"
out   = ["a", "p", "e"]
run   = "true {a} {p} {e}"
[stage.four]
every = "1h"
out   = "p"
state = "seen4"
run   = "true {p} {seen4.new}"
`
	script, err := script.Parse(filepath.Join(filepath.Dir(root), "crawl.toml"), []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	script.Dir = root
	s := &scene{t, Case{Tx: &workdir.Tx{Number: 7, Path: filepath.Join(root, "work/000000000007")},
		Script: script, Stage: script.Stages[0], Segments: have,
		Inputs: []txlog.Input{{Name: "a/m-000000000001-00001", Records: 2},
			{Name: "a/m-000000000002-00001", Records: 1}}}}
	for _, dir := range []string{"b", "e", "state/seen", "state/seen4"} {
		if err := os.MkdirAll(s.Tx.File(dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *scene) leave(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Join(s.Tx.Path, filepath.Dir(name)), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Tx.Path, name), []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// report writes the report; W stands for the run's directory, C for the crawl's.
func (s *scene) report(text string) {
	s.t.Helper()
	names := strings.NewReplacer("W/", s.Tx.Path+"/", "C/", s.Script.Dir+"/", "HASH", "0123456789abcdef")
	s.leave("report", names.Replace(text))
}

// leaves is a run that leaves a file.
func leaves(name string) func(*scene) { return func(s *scene) { s.leave(name, "x") } }

func sum(text string) string { return fmt.Sprintf("%016x", xxhash.Sum64String(text)) }

const (
	part    = "b/m-000000000007-00001.txt"
	abroad  = "e/m-000000000007-00001.zst"
	segment = "state/seen/m-000000000007-00001.seg"
)

// Without a report the files are taken as they are; empty ones are dropped.
func TestWithoutReport(t *testing.T) {
	s := newScene(t)
	s.leave(part, "one\n")
	s.leave("b/a-000000000007-00002.txt", "two\n")
	s.leave("b/m-000000000007-00003.txt", "")
	s.leave("b/whatever", "")
	s.leave(abroad, "three\n")
	s.leave(segment, "seg")
	v, err := Judge(&s.Case)
	if err != nil {
		t.Fatal(err)
	}
	out := func(name, text string, export bool) txlog.Output {
		return txlog.Output{Name: txlog.Name(name), Size: int64(len(text)), Hash: sum(text),
			Records: -1, Export: export}
	}
	want := &Verdict{Commit: txlog.Commit{Tx: 7, Stage: "one", Inputs: s.Inputs, Read: -1,
		Outputs: []txlog.Output{out("b/a-000000000007-00002.txt", "two\n", false), out(part, "one\n", false),
			out(abroad, "three\n", true)},
		State: "seen", Segments: []txlog.Output{out(segment, "seg", false)}},
		Files: []txlog.Name{"b/a-000000000007-00002.txt", part, abroad, segment},
		Misnamed: map[string]string{
			"e": "the batches of e are named .zst, and their first bytes are of no compression"}}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got  %+v\nwant %+v", v, want)
	}
}

// A command that names {report} has not come to its end before that is there: srun ends with 0
// when the machine is lost on which it ran the stage, and half an output is left.
func TestReportIsMissing(t *testing.T) {
	for _, empty := range []bool{false, true} {
		s := newScene(t)
		s.Stage.Command = s.Script.Stage("two").Command // which names {report}
		s.leave(part, "half")
		if empty {
			s.leave("report", "")
		}
		if v, err := Judge(&s.Case); err == nil || !strings.Contains(err.Error(), "no report") {
			t.Errorf("with an empty report %v: %+v, %v", empty, v, err)
		}
	}
}

// With a report its numbers are taken, and the hash is trusted.
func TestWithReport(t *testing.T) {
	s := newScene(t)
	s.leave(part, "one\n")
	s.leave("b/m-000000000007-00002.txt", "of no records")
	s.leave(segment, "seg")
	s.report("in 3\nout W/" + part + " 2 4 HASH\nout W/b/m-000000000007-00002.txt 0 0 HASH\n" +
		"made W/" + segment + " 9 3 HASH\nreason seen 1\ncount merged 1\nbecause odd 1 x -\nnote a%20b\n" +
		"replaces C/" + string(have[1]) + "\nlater W/" + part + " 2026-11-21T12:00:00Z\n" +
		"later W/b/m-000000000007-00002.txt 2026-11-21T12:00:00Z\n")
	v, err := Judge(&s.Case)
	if err != nil {
		t.Fatal(err)
	}
	want := &Verdict{Commit: txlog.Commit{Tx: 7, Stage: "one", Inputs: s.Inputs, Read: 3,
		Outputs: []txlog.Output{{Name: part, Size: 4, Hash: "0123456789abcdef", Records: 2,
			Due: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}},
		State: "seen", Replaced: have[1:],
		Segments: []txlog.Output{{Name: segment, Size: 3, Hash: "0123456789abcdef", Records: 9, Made: true}},
		Reasons:  []txlog.Count{{Name: "seen", N: 1}}, Counts: []txlog.Count{{Name: "merged", N: 1}},
		Because: []txlog.Because{{Name: "odd", N: 1, Example: "x"}}, Notes: []string{"a b"}},
		Files: []txlog.Name{part, segment}}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got  %+v\nwant %+v", v, want)
	}
}

// A hash that the report leaves out is computed.
func TestReportWithoutHash(t *testing.T) {
	s := newScene(t)
	s.leave(part, "one\n")
	s.leave(segment, "seg")
	s.report("in 3\nout W/" + part + " 3 4 -\nmade W/" + segment + " 9 3 -\n")
	v, err := Judge(&s.Case)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.Commit.Outputs[0].Hash, sum("one\n"); got != want {
		t.Errorf("the batch has the hash %q, want %q", got, want)
	}
	if got, want := v.Commit.Segments[0].Hash, sum("seg"); got != want {
		t.Errorf("the segment has the hash %q, want %q", got, want)
	}
}

// A report that does not say what was read need not name the files, and may hold
// one until later all the same.
func TestReportOfTimesAlone(t *testing.T) {
	for _, word := range []string{"later", "latest"} {
		s := newScene(t)
		s.leave(part, "one\n")
		s.report(word + " W/" + part + " 2026-11-21T12:00:00Z\n")
		v, err := Judge(&s.Case)
		if err != nil || len(v.Commit.Outputs) != 1 || v.Commit.Outputs[0].Due.IsZero() ||
			v.Commit.Outputs[0].Latest != (word == "latest") || v.Commit.Outputs[0].Records != -1 {
			t.Errorf("%+v, %v; want one output of unknown records, due %s", v, err, word)
		}
	}
}

// Paths may be relative to where the stage ran, which is the script's folder.
func TestRelativePaths(t *testing.T) {
	s := newScene(t)
	s.leave(part, "one\n")
	rel, err := filepath.Rel(s.Script.Folder, filepath.Join(s.Tx.Path, part))
	if err != nil {
		t.Fatal(err)
	}
	s.report("in 3\nout ./" + rel + " 3 4 HASH\n")
	if v, err := Judge(&s.Case); err != nil || len(v.Commit.Outputs) != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

// What is for other machines may lie in folders, under an extension of its own.
func TestFolders(t *testing.T) {
	const pages, links = "e/arts-1/0123456789abcdef-000000000007-00001.warc.gz", "e/law/m-000000000007-00001.zst"
	s := newScene(t)
	s.leave(abroad, "one\n")
	s.leave(pages, "pages")
	s.leave(links, "links")
	s.leave("e/none/x", "")
	s.report("in 3\nout W/" + abroad + " 1 4 HASH\nout W/" + pages + " 1 5 -\nout W/" + links + " 1 5 HASH\n")
	v, err := Judge(&s.Case)
	if err != nil {
		t.Fatal(err)
	}
	out := func(name string, size int64, hash string) txlog.Output {
		return txlog.Output{Name: txlog.Name(name), Size: size, Hash: hash, Records: 1, Export: true}
	}
	want := []txlog.Output{
		out(abroad, 4, "0123456789abcdef"), out(pages, 5, sum("pages")), out(links, 5, "0123456789abcdef")}
	if !reflect.DeepEqual(v.Commit.Outputs, want) || !slices.Equal(v.Files, []txlog.Name{abroad, pages, links}) {
		t.Errorf("got  %+v\nwant %+v", v, want)
	}
}

// A batch that the clock has made brings no work if no stage reads its queue, here or elsewhere.
func TestProducts(t *testing.T) {
	for stage, want := range map[string]map[string]bool{
		"one":   {part: false, abroad: false},
		"three": {"a/m-000000000007-00001.txt": false, "p/m-000000000007-00001.zst": true, abroad: false},
		"four":  {"p/m-000000000007-00001.zst": false},
	} {
		s := newScene(t)
		s.Stage, s.Segments = s.Script.Stage(stage), nil
		if stage != "one" {
			s.Inputs = nil
		}
		for name := range want {
			s.leave(name, "x")
		}
		v, err := Judge(&s.Case)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, o := range v.Commit.Outputs {
			got[string(o.Name)] = o.Product
		}
		if !maps.Equal(got, want) {
			t.Errorf("products of %s are %v, want %v", stage, got, want)
		}
	}
}

// Each disagreement fails the run and says what.
func TestDisagreements(t *testing.T) {
	const tx7 = "m-000000000007-00001"
	link := func(to, name string) func(*scene) {
		return func(s *scene) { os.Symlink(to, s.Tx.File(name)) }
	}
	good := "in 3\nout W/" + part + " 3 4 HASH\n"
	merged := good + "made W/" + segment + " 1 1 HASH\n"
	for name, c := range map[string]struct {
		do     func(*scene)
		report string
		want   string
	}{
		"another transaction": {leaves("b/m-000000000006-00001.txt"), "", `it wrote b/"m-000000000006-00001.txt"`},
		"another extension":   {leaves("b/" + tx7 + ".zst"), "", "it wrote b/"},
		"a directory": {func(s *scene) { os.Mkdir(s.Tx.File("b/m-000000000007-00002.txt"), 0o777) }, "",
			"it wrote b/"},
		"a link":             {link("/etc/passwd", "b/m-000000000007-00002.txt"), "", "it wrote b/"},
		"an empty link":      {func(s *scene) { link("", "b/x")(s); link("x", "b/y")(s) }, "", `it wrote b/"y"`},
		"its directory gone": {func(s *scene) { os.RemoveAll(s.Tx.File("b")) }, "", "no such file"},
		"a hidden file":      {leaves("b/." + tx7 + ".txt"), "", `it wrote b/".` + tx7 + `.txt"`},
		"not reported":       {nil, "in 3\nreason gone 3\n", "it wrote " + part + " but does not report it"},
		"not there":          {nil, good + "made W/b/m-000000000007-00009.txt 1 1 HASH\n", "which does not exist"},
		"reported twice":     {nil, good + "made W/" + part + " 3 4 HASH\n", "which does not exist"},
		"another size": {nil, "in 3\nout W/" + part + " 3 5 HASH\n",
			"it reports 5 bytes in " + part + ", which has 4"},
		"the law": {nil, "in 3\nout W/" + part + " 2 4 HASH\n",
			"by its report 3 records came in (in), 2 went out (out) and 0 have a reason"},
		"its inputs": {nil, "in 4\nout W/" + part + " 4 4 HASH\n",
			"it reports 4 records read, but its inputs contain 3"},
		"two segments": {func(s *scene) { leaves(segment)(s); leaves("state/seen/m-000000000007-00002.seg")(s) }, "",
			"it wrote 2 segments"},
		"replaced by nothing": {nil, good + "replaces C/" + string(have[1]) + "\n", "it replaces 1 segments"},
		"replaced the oldest": {leaves(segment), merged + "replaces C/" + string(have[0]) + "\n",
			"not among the newest 1"},
		"replaced too many": {leaves(segment), merged + "replaces C/x\nreplaces C/y\nreplaces C/z\n",
			"it replaces 3 segments"},
		"another file due": {nil, good + "later W/b/m-000000000007-00002.txt 2026-11-21T12:00:00Z\n",
			"is due later, which is not a batch of this run"},
		"a segment due": {leaves(segment), merged + "later W/" + segment + " 2026-11-21T12:00:00Z\n",
			"is due later"},
		"no report":           {nil, "nonsense\n", "line 1 of the report"},
		"a folder":            {leaves("b/far/" + tx7 + ".txt"), "", `it wrote b/"far"`},
		"a folder of a state": {leaves("state/seen/far/" + tx7 + ".seg"), "", `it wrote state/seen/"far"`},
		"a folder's folder":   {leaves("e/far/off/" + tx7 + ".zst"), "", `it wrote e/far/"off"`},
		"a folder's name":     {leaves("e/.far/" + tx7 + ".zst"), "", `it wrote e/".far"`},
		"a folder's dots":     {leaves("e/far..off/" + tx7 + ".zst"), "", `it wrote e/"far..off"`},
		"half in a folder":    {leaves("e/far/." + tx7 + ".zst"), "", `it wrote e/far/".` + tx7 + `.zst"`},
		"a link in a folder": {func(s *scene) { s.leave("e/far/x", ""); link("x", "e/far/y")(s) }, "",
			`it wrote e/far/"y"`},
		"a link to a folder": {link("..", "e/far"), "", `it wrote e/"far"`},
		"not its folder": {leaves("e/far/" + tx7 + ".zst"), good + "made W/e/off/" + tx7 + ".zst 1 1 HASH\n",
			"which does not exist"},
		"a folder not reported": {leaves("e/far/" + tx7 + ".zst"), good,
			"it wrote e/far/" + tx7 + ".zst but does not report it"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.leave(part, "one\n")
			if c.do != nil {
				c.do(s)
			}
			s.report(c.report)
			if v, err := Judge(&s.Case); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, %v; want %q", v, err, c.want)
			}
		})
	}
}

// Where the records of some input are unknown, as those of seeds, the reader's
// word is taken; so it is where there is no input.
func TestRecordsUnknown(t *testing.T) {
	for name, inputs := range map[string][]txlog.Input{"unknown": {{Records: 2}, {Records: -1}}, "none": nil} {
		s := newScene(t)
		s.Inputs = inputs
		s.report("in 77\nreason seen 77\n")
		if v, err := Judge(&s.Case); err != nil || v.Commit.Read != 77 {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// A segment replaced twice in one report is replaced once.
func TestReplacedTwice(t *testing.T) {
	s := newScene(t)
	s.leave(segment, "x")
	s.report(strings.Repeat("replaces C/"+string(have[1])+"\n", 2))
	if v, err := Judge(&s.Case); err != nil || !reflect.DeepEqual(v.Commit.Replaced, have[1:]) {
		t.Errorf("%+v, %v", v, err)
	}
}
