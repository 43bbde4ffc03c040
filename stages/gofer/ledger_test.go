package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC).Local()

func TestEntry(t *testing.T) {
	for _, e := range []entry{{fate: taken}, {fate: unfit}, {fate: torn, looks: 255, again: noon}} {
		got, err := decodeEntry(e.encode())
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%v became %v, %v", e, got, err)
		}
	}
	for _, bad := range [][]byte{nil, {1}, {2, 1}, {1, 0}, {1, 4}, {1, 1, 0}, {1, 3}, {1, 3, 1, 0, 0, 0, 0, 0, 0, 0}} {
		if e, err := decodeEntry(bad); err == nil {
			t.Errorf("%v was taken for %v", bad, e)
		}
	}
}

// A torn batch rests for ten minutes, twice as long each time, and never longer than a day.
func TestRests(t *testing.T) {
	var e entry
	for looks, want := range []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute, 80 * time.Minute,
		160 * time.Minute,
		320 * time.Minute, 640 * time.Minute, 1280 * time.Minute, 24 * time.Hour, 24 * time.Hour} {
		e = e.tornAgain(noon)
		if got := e.again.Sub(noon); got != want || e.looks != looks+1 {
			t.Errorf("look %d: rests %v after %d looks, want %v", looks+1, got, e.looks, want)
		}
		if !e.resting(noon) || !e.resting(e.again.Add(-1)) || e.resting(e.again) {
			t.Errorf("look %d: at the beginning %v, at the end %v", looks+1, e.resting(noon), e.resting(e.again))
		}
		if e.resting(noon.Add(-maxRest)) {
			t.Error("a time beyond any rest is believed")
		}
	}
	for range 500 {
		e = e.tornAgain(noon)
	}
	if e.looks != 255 || e.again.Sub(noon) != maxRest {
		t.Errorf("after 500 looks: %v", e)
	}
}

const golden = "testdata/v1/ledger.seg"

var update = flag.Bool("update", false, "write the golden file anew; only before its format is released")

func goldenLedger() (names []string, entries []entry) {
	return []string{"0123456789abcdef-000000000001-00001.warc.gz", "fedcba9876543210-000000000002-00001.zst",
			"0000000000000000-000000000003-00001.zst"},
		[]entry{{fate: taken}, {fate: unfit}, {fate: torn, looks: 2, again: noon}}
}

// The segment of version 1 is read for ever.
func TestGolden(t *testing.T) {
	names, entries := goldenLedger()
	if *update {
		l := &ledger{set: &segment.Set{}}
		for i, name := range names {
			l.add("arts", name, entries[i])
		}
		os.MkdirAll(filepath.Dir(golden), 0o777)
		os.Remove(golden)
		if err := l.close(&stage.Env{Files: output.NewRun(nil), Report: report.New()}, golden); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(t.TempDir(), "list")
	os.WriteFile(list, []byte(golden+"\n"), 0o666)
	l, err := openLedger(list, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.set.Close()
	for i, name := range names {
		if got, err := l.find("arts", name); err != nil || !reflect.DeepEqual(got, entries[i]) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, entries[i])
		}
		if got, err := l.find("law", name); err != nil || got != (entry{}) {
			t.Errorf("%s of another peer: %v, %v", name, got, err)
		}
	}
}

func TestVerify(t *testing.T) {
	tool := pullVerb()
	const other = "../internal/state/segment/testdata/v2/values.seg"
	if r := stagetest.Run(t, tool.Tool, tool.Setup, "", "-verify", golden); r.Code != stage.ExitDone {
		t.Errorf("%+v", r)
	}
	if r := stagetest.Run(t, tool.Tool, tool.Setup, "", "-verify", golden, other); r.Code != stage.ExitFailed ||
		!strings.Contains(r.Stderr, "1 of 2 files are not whole") {
		t.Errorf("%+v", r)
	}
}

func FuzzEntry(f *testing.F) {
	_, entries := goldenLedger()
	for _, e := range entries {
		f.Add(e.encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if e, err := decodeEntry(b); err == nil && !bytes.Equal(e.encode(), b) {
			t.Errorf("%v is not %v", e.encode(), b)
		}
	})
}
