package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

// copied runs the stage with -copies and lists what it wrote there: "/path like /first", or "/path"
// alone where no page is known that is read alike. What is in -unique must be revisit records.
func copied(t *testing.T, list string, in string, args ...string) (got []string, r stagetest.Result) {
	t.Helper()
	dir := t.TempDir()
	out, unique := filepath.Join(dir, "copies.warc.gz"), filepath.Join(dir, "unique.warc.gz")
	args = append([]string{"-copies", out, "-unique", unique, "-digests", list, "-new", filepath.Join(dir, "new")},
		args...)
	r = stagetest.MustRun(t, tool(), setup, "", append(args, in)...)
	for _, line := range contents(t, unique)[1:] {
		if !strings.HasPrefix(line, "revisit ") {
			t.Errorf("-unique has %s", line)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil && list != "" {
		if err := os.WriteFile(list, []byte(filepath.Join(dir, "new")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(out); err != nil {
		return nil, r
	}
	got = listed(t, out, func(a *warc.Answer) string {
		line := pathOf(a.URL())
		if of, ok := a.Record().Get(urlbatch.Copy); ok {
			line += " like " + pathOf(of)
		}
		return line
	})
	if !strings.Contains(r.Report, fmt.Sprintf("made %s %d ", out, len(got))) ||
		!r.Has(fmt.Sprint("count copies ", len(got))) {
		t.Errorf("%d copies; report\n%s", len(got), r.Report)
	}
	return got, r
}

// TestCopies holds that a duplicate is handed on where its links may be others than the first
// copy's, once.
func TestCopies(t *testing.T) {
	type pages []answer
	nofollow := htmlOK + "\r\nX-Robots-Tag: nofollow"
	for _, c := range []struct {
		name  string
		pages pages
		want  string
	}{
		{"another folder", pages{{path: "/a/x", head: htmlOK}, {path: "/b/x", head: htmlOK}}, "/b/x like /a/x"},
		{"another name in the folder", pages{{path: "/", head: htmlOK}, {path: "/x", head: htmlOK}}, "/x like /"},
		{"another query", pages{{path: "/x?1", head: htmlOK}, {path: "/x?2", head: htmlOK}, {path: "/x", head: htmlOK}},
			""},
		{"a place met before", pages{{path: "/a", head: htmlOK}, {path: "/b", head: htmlOK},
			{path: "/b?x", head: htmlOK}, {path: "/a?x", head: htmlOK}}, "/b like /a"},
		{"a link in the head", pages{{path: "/x", head: htmlOK}, {path: "/x?1", head: htmlOK + "\r\nlink: </y>"}},
			"/x?1"},
		{"a refresh in the head", pages{{path: "/x", head: htmlOK},
			{path: "/x?1", head: htmlOK + "\r\nRefresh: 0; url=/y"}}, "/x?1"},
		{"a first copy that forbids", pages{{path: "/x", head: nofollow}, {path: "/x?1", head: htmlOK},
			{path: "/y", head: nofollow}}, "/x?1, /y like /x"},
		{"a first copy that is no page", pages{{path: "/x", head: ok + "\r\nContent-Type: text/plain"},
			{path: "/y", head: htmlOK}}, "/y"},
		{"no page", pages{{path: "/x", head: ok + "\r\nContent-Type: image/gif"},
			{path: "/y", head: ok + "\r\nContent-Type: image/gif"}}, ""},
		{"a type nobody told", pages{{path: "/x", head: ok}, {path: "/y", head: ok}}, "/y like /x"},
		{"a page that a sitemap lists", pages{{path: "/x", head: htmlOK}, {path: "/x?1\trel=listed", head: htmlOK}},
			""},
		{"another field of the head", pages{{path: "/x", head: htmlOK}, {path: "/x?1", head: htmlOK + "\r\nDate: now"}},
			""},
	} {
		for i := range c.pages {
			c.pages[i].body = "<a href=y>"
		}
		got, _ := copied(t, "", batch(t, c.pages...))
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: copies %q, want %s", c.name, got, c.want)
		}
	}
}

// TestCopiesOfAServer holds that a body is handed on for so many places of a server and no more,
// over all runs.
func TestCopiesOfAServer(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	pages := func(from, to int) string {
		answers := []answer{{path: "/first", head: htmlOK, body: "<a href=y>"}}
		for i := from; i < to; i++ {
			answers = append(answers, answer{path: fmt.Sprintf("/%d/", i), head: htmlOK, body: "<a href=y>"})
		}
		return batch(t, answers...)
	}
	for _, c := range []struct {
		from, to, want, over int
	}{{0, 3, 3, 0}, {0, 3, 0, 0}, {2, 10, 2, 5}, {3, 9, 0, 4}} {
		got, r := copied(t, list, pages(c.from, c.to), "-places", "5")
		if len(got) != c.want || c.over > 0 && !r.Has(fmt.Sprint("count copies-over-limit ", c.over)) {
			t.Errorf("pages %d to %d: copies %q, want %d; report\n%s", c.from, c.to, got, c.want, r.Report)
		}
	}
}

// TestCopiesFormat holds the layout of what -copies adds to the state, and that -verify knows it.
func TestCopiesFormat(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	copied(t, list, batch(t, answer{path: "/1", head: htmlOK, body: "a"}, answer{path: "/2", head: htmlOK, body: "a"}))
	set, err := segment.OpenSet(list, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	got := ""
	err = set.Scan(func(key uint64, value []byte) error {
		got += fmt.Sprintf("%016x %s\n", key, hex.EncodeToString(value))
		return nil
	})
	const want = "6c0cf69220329c67 708d149427\n" +
		"86f7e437faa5a7fc 02e15d1ddcb9eaeaea377667b87b505c18a3010000616596e6687474703a2f2f612e746573742f31\n"
	if err != nil || got != want {
		t.Errorf("%v, entries\n%s", err, got)
	}
	path, _ := os.ReadFile(list)
	stagetest.MustRun(t, tool(), setup, "", "-verify", strings.TrimSpace(string(path)))
}

// TestOriginalWithoutReading holds that a state begun without -copies goes on with it: how its
// pages were read is unknown.
func TestOriginalWithoutReading(t *testing.T) {
	in := batch(t, answer{path: "/1", head: htmlOK, body: "a"})
	list := filepath.Join(t.TempDir(), "list")
	segmentPath := filepath.Join(t.TempDir(), "old")
	stagetest.MustRun(t, tool(), setup, "", "-new", segmentPath, "-unique", filepath.Join(t.TempDir(), "u.warc.gz"), in)
	if err := os.WriteFile(list, []byte(segmentPath+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, _ := copied(t, list, in)
	if strings.Join(got, ", ") != "/1" {
		t.Errorf("copies %q, want /1 without a first copy", got)
	}
}
