package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
)

// leavings are what a run left: the place of each URL, its record, and of a page its answer.
type leavings struct {
	place  map[string]string
	record map[string]*urlbatch.Record
	block  map[string]string // the answer as on the wire
	cut    map[string]string
	report string
	pages  string // the file of the answers
}

// fetch runs the stage on lines, without delay, and to its end however slow the machine is; args
// come behind the usual flags.
func fetch(t *testing.T, lines string, args ...string) leavings {
	t.Helper()
	dir := t.TempDir()
	code, stderr := fetchInto(t.Context(), dir, lines, args...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	res := leavings{place: map[string]string{}, record: map[string]*urlbatch.Record{}, block: map[string]string{},
		cut:   map[string]string{},
		pages: filepath.Join(dir, "pages.warc.gz")}
	rep, err := os.ReadFile(filepath.Join(dir, "report"))
	if err != nil {
		t.Fatal(err)
	}
	res.report = string(rep)
	files, _ := filepath.Glob(filepath.Join(dir, "*.*"))
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "pages") {
			eachPage(t, file, func(a *warc.Answer) { res.addPage(t, a) })
			continue
		}
		place, _, _ := strings.Cut(strings.TrimSuffix(name, ".txt"), "-")
		res.addBatch(t, place, file)
	}
	return res
}

func fetchInto(ctx context.Context, dir, lines string, args ...string) (code int, stderr string) {
	path := func(name string) string { return filepath.Join(dir, name) }
	args = append([]string{"-agent", "testbot/1.0", "-delay", "0", "-tail", "0", "-address-delay", "0",
		"-per-address-connections", "0", "-report", path("report"), "-allow-private", "127.0.0.0/8",
		"-pages", path("pages.warc.gz"), "-again", path("again.txt"), "-failed", path("failed.txt")}, args...)
	var errs bytes.Buffer
	code = stage.Run(ctx, tool(), setup, args, strings.NewReader(lines), io.Discard, &errs)
	return code, errs.String()
}

func (res *leavings) put(t *testing.T, place string, rec *urlbatch.Record) {
	t.Helper()
	if at, twice := res.place[rec.URL()]; twice {
		t.Errorf("%s is in %s and in %s", rec.URL(), at, place)
	}
	res.place[rec.URL()], res.record[rec.URL()] = place, rec.Clone()
}

func (res *leavings) addBatch(t *testing.T, place, file string) {
	t.Helper()
	err := urlbatch.Each(context.Background(), []string{file}, nil, report.New(), nil,
		func(rec *urlbatch.Record) error {
			res.put(t, place, rec)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

// eachPage goes through the page batch file.
func eachPage(t *testing.T, file string, do func(a *warc.Answer)) {
	t.Helper()
	r, err := warc.Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		a, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		do(a)
	}
}

func (res *leavings) addPage(t *testing.T, a *warc.Answer) {
	res.put(t, "pages", a.Record())
	block, err := a.Block()
	if err != nil {
		t.Fatal(err)
	}
	if request, err := a.RequestBlock(); err != nil || !bytes.HasPrefix(request, []byte("GET /")) {
		t.Errorf("request of %s is %.40q, %v", a.URL(), request, err)
	}
	res.block[a.URL()], res.cut[a.URL()] = string(block), a.Truncated()
}

// check asserts where url is, with how many tries, and why if it failed.
func (res *leavings) check(t *testing.T, url, place string, tries int64, reason string) {
	t.Helper()
	rec := res.record[url]
	if rec == nil {
		t.Errorf("%s is nowhere", url)
		return
	}
	got, _ := rec.Get(urlbatch.Reason)
	if res.place[url] != place || rec.Int(urlbatch.Tries) != tries || got != reason {
		t.Errorf("%s is in %s with %d tries for %q, want in %s with %d for %q",
			url, res.place[url], rec.Int(urlbatch.Tries), got, place, tries, reason)
	}
}

// conserved asserts that n records went in and n came out. (That the report agrees with
// itself is checked when it is written.)
func (res *leavings) conserved(t *testing.T, n int) {
	t.Helper()
	if !strings.HasPrefix(res.report, fmt.Sprintf("in %d\n", n)) || len(res.place) != n {
		t.Errorf("%d records are left of %d; report:\n%s", len(res.place), n, res.report)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"-agent", ""}, {"-agent", "bot\r\nX: y"}, {"-pages", ""}, {"-again", ""}, {"-connections", "0"}, {"-tail",
			"-1"}, {"-tail", "NaN"}, {"-tail", "1001"},
		{"-delay", "1h"}, {"-max-body", "1GB"}, {"-max-body", "10"}, {"-max-body", "9223372036854775807B"},
		{"-max-header", "1MB"}, {"-rate", "600"}, {"-allow-private", "all"}, {"-patience", "-1s"},
	} {
		if code, stderr := fetchInto(t.Context(), t.TempDir(), "", args...); code != stage.ExitUsage {
			t.Errorf("%q: exit code %d, want %d: %s", args, code, stage.ExitUsage, stderr)
		}
	}
}

func TestEmptyBatchLeavesNothing(t *testing.T) {
	res := fetch(t, "")
	res.conserved(t, 0)
}
