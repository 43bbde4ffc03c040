package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const recordedFlow = `
flow  = 1
dir   = "crawl"
seeds = { a = "seed" }
[limit]
jobs = 2
[service.scrub]
run = "./helper"
[queue.a]
ext  = "txt"
full = 3
[queue.b]
ext    = "txt"
verify = "./helper {in}"
[queue.away]
export = true
[stage.one]
in    = "a"
out   = ["b", "away"]
state = "met"
run   = "./helper {in} {b}"
[stage.two]
in  = "a"
run = "./helper {report} {in}"
[stage.three]
in   = "b"
min  = 5
take = 9
run  = "./helper {report} {in}"
`

// A recorded crawl is a directory that a test has written: its log, its files, and a run in
// progress. All times are fixed.
type recorded struct {
	*ground
	noon, later time.Time
}

// Requests and files of the recorded crawl.
const (
	recordedRequest = "0123456789abcdef0123456789abcdef"
	first           = "a/m-000000000001-00001.txt"
	second          = "a/m-000000000001-00002.txt"
	third           = "a/m-000000000001-00003.txt"
	made            = "b/m-000000000002-00001.txt"
	old             = "old/m-000000000001-00004"
	segment         = "state/met/m-000000000002-00001.seg"
)

func newRecorded(t *testing.T) *recorded {
	t.Helper()
	local := time.Local
	time.Local = time.UTC // in which words about times are printed
	t.Cleanup(func() { time.Local = local })
	r := &recorded{ground: &ground{&crawlFolder{t: t, dir: t.TempDir()}},
		noon: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), later: time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)}
	r.write("crawl.toml", recordedFlow)
	r.write("seed", "one\n")
	r.write("helper", "#!/bin/sh\necho it is not as it should be >&2\nexit 1\n")
	for _, name := range []string{first, second, third, made, segment, "b/foreign"} {
		r.put(name, name+"\n")
	}
	for _, name := range []string{"work/x", "inbox/x", "history/script.toml"} { // edited since the last start
		r.put(name, recordedFlow+"# an older version\n")
	}
	r.remove("work/x")
	r.remove("inbox/x")
	r.put("failed/000000000003", "it is broken\n")
	r.put(third, strings.ToUpper(third)+"\n") // only verify sees that
	r.log()
	r.put("work/000000000007/run", fmt.Sprintf(`{"stage":"three","start":"2026-11-21T12:00:00Z","inputs":[%q],`+
		`"command":["./helper","{in}"],"pid":123}`, made))
	r.put("work/000000000007/stderr", "so far\n")
	return r
}

// log writes the log.
func (r *recorded) log() {
	r.t.Helper()
	log, err := txlog.Begin(txlog.OS{}, r.path("crawl"), txlog.NewState("e"), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	run := txlog.Run{Command: []string{"./helper", "{in}"}, Start: r.noon, End: r.noon.Add(90 * time.Second),
		CPU: 1500 * time.Millisecond, Memory: 1 << 20, Exit: "0",
		Shown: []txlog.Shown{{Name: "rules", Hash: "00000000deadbeef"}, {Name: "gone"}}}
	failed := run
	failed.Exit, failed.Stderr = "1", "it is broken\n"
	due := outputOf(made, made+"\n")
	due.Records, due.Due, due.Latest, due.Made = 7, r.later, true, true
	away := txlog.Output{Name: "away/m-000000000002-00002", Size: 9, Hash: "00000000deadbeef", Records: 3, Export: true}
	counts := []txlog.Count{{Name: "same", N: 2}}
	for _, rec := range []txlog.Record{
		&txlog.Commit{Tx: 1, Read: -1, Seed: "a seed", Outputs: []txlog.Output{outputOf(first, first+"\n"),
			outputOf(second, second+"\n"), outputOf(third, third+"\n"), outputOf(old, old+"\n")}},
		&txlog.Commit{Tx: 2, Stage: "one", Run: run, Read: 9, State: "met",
			Inputs:  []txlog.Input{{Name: first, Records: -1}},
			Outputs: []txlog.Output{due, away}, Segments: []txlog.Output{outputOf(segment, segment+"\n")},
			Reasons: counts, Counts: counts, Gauges: []txlog.Count{{Name: "size", N: 5}}, Notes: []string{"a note"},
			Because: []txlog.Because{{Name: "same", N: 2, Example: "one", Remedy: "do nothing"}}},
		&txlog.Abort{Tx: 3, Stage: "one", Run: failed, Why: "exit code 1", Inputs: []txlog.Input{{Name: second, Records: -1}},
			Row: 2, Rest: r.later,
			Marks: []txlog.Mark{{Name: second, Stage: "one", Fails: 4, Aside: true},
				{Name: third, Stage: "one", Fails: 1, Laters: 2, Until: r.later, Alone: true}}},
		&txlog.Commit{Tx: 4, Read: -1, Request: recordedRequest, Reset: []txlog.Mark{
			{Name: third, Stage: "two", Fails: 1, Laters: 1, Until: r.noon, Alone: true, Aside: true}}},
		&txlog.Commit{Tx: 5, Read: 1, Stage: "two", Run: run, State: "met", Replaced: []txlog.Name{segment},
			Inputs: []txlog.Input{{Name: first, Records: -1, Gone: true}}},
		&txlog.Commit{Tx: 6, Read: -1, Request: "fedcba9876543210fedcba9876543210", Gone: []txlog.Name{old},
			Forget: []txlog.Forgotten{{Kind: "queue", Name: "old"}}},
	} {
		if err := log.Append(rec); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// crashed makes of the crawl one whose manager was killed: see workdir.Recovery.
func (r *recorded) crashed() {
	r.put("work/000000000005/run", "{}")
	r.put("work/000000000002/"+made, "")
	r.rename(made, "work/000000000002/"+made)
	r.put("inbox/"+recordedRequest+"/request", "{}")
	r.put("inbox/.half/request", "{")
	r.put("inbox/11111111111111111111111111111111/request", `{"verb":"retry"}`)
	r.rewrite(func(log string) string { return log + "commit\ttx=" })
}

// says carries out a verb in this process and returns what it prints to stdout, as a golden file
// has it: without what differs from one machine or run to the next.
func (r *recorded) says(wantCode int, verb string, args ...string) string {
	r.t.Helper()
	var out, err bytes.Buffer
	m := &invocation{out: &out, err: &err, disk: newDisk()}
	args = append([]string{verb, "-json", r.path("crawl.toml")}, args...)
	if code := m.run(args); code != wantCode {
		r.t.Errorf("manager %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), code, wantCode, out.String(), err.String())
	}
	text := strings.ReplaceAll(out.String(), r.dir, "DIR")
	text = regexp.MustCompile(fmt.Sprintf(`("pid": )%d(,\s+"since": )"[^"]*"`, os.Getpid())).
		ReplaceAllString(text, `${1}4242${2}"2026-11-21T12:00:00Z"`)
	return regexp.MustCompile(`"figure": "[^"]* free[^"]*"`).ReplaceAllString(text, `"figure": "MEASURED"`)
}

// held makes this process the manager of the crawl until release is called.
func (r *recorded) held() (release func()) {
	r.t.Helper()
	d := &workdir.Dir{Root: r.path("crawl"), Disk: txlog.OS{}}
	if err := d.Lock(); err != nil {
		r.t.Fatal(err)
	}
	return func() {
		if err := d.Unlock(); err != nil {
			r.t.Error(err)
		}
	}
}

// golden compares a text with a file of testdata/json.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", "json", name+".json")
	want, err := os.ReadFile(file)
	if *update {
		want, err = []byte(text), os.WriteFile(file, []byte(text), 0o666)
	}
	if err != nil || text != string(want) {
		t.Errorf("%s is (%v)\n%s\nnow it is\n%s", file, err, want, text)
	}
}
