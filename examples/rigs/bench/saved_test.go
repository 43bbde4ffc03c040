package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// writeWARC writes records, each a gzip member, to a file in dir.
func writeWARC(t *testing.T, dir, name string, records ...string) {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, r := range records {
		w := gzip.NewWriter(file)
		if _, err := w.Write([]byte(r)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func record(kind, url, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind,
		url, len(block), block)
}

func TestSavedInWARC(t *testing.T) {
	dir := t.TempDir()
	writeWARC(t, dir, "1.warc.gz", record("warcinfo", "-", "x"), record("response", "http://a/", "WARC/1.1 200"),
		record("request", "http://b/", ""))
	writeWARC(t, dir, "2.warc.gz", record("response", "http://a/", "again"), record("revisit", "http://c/", ""))
	writeWARC(t, dir, "other.gz", record("response", "http://d/", ""))
	if n, err := savedInWARC(dir); n != 2 || err != nil {
		t.Errorf("%d, %v; want http://a/ and http://c/", n, err)
	}
}

func TestDamagedWARC(t *testing.T) {
	whole := record("response", "http://a/", "block")
	for what, text := range map[string]string{
		"cut in its block":  whole[:len(whole)-6],
		"cut in its head":   whole[:30],
		"no length":         strings.Replace(whole, "Content-Length", "Length", 1),
		"a negative length": strings.Replace(whole, ": 5", ": -5", 1),
		"none behind it":    whole + "x\n",
	} {
		dir := t.TempDir()
		writeWARC(t, dir, "1.warc.gz", text)
		if n, err := savedInWARC(dir); err == nil {
			t.Errorf("%s: %d URLs and no error", what, n)
		}
	}
}

func TestCheckSaved(t *testing.T) {
	dir := t.TempDir()
	writeWARC(t, dir, "1.warc.gz", record("response", "http://a/", ""), record("response", "http://b/", ""))
	if err := os.WriteFile(filepath.Join(dir, ".hidden"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	of := func(pages, others, robots int) *served {
		return &served{Kinds: map[string]struct{ Distinct, Repeated int }{"page": {pages, 7}, "notfound": {others, 7},
			"robots.txt": {robots, 7}}}
	}
	for _, c := range []struct {
		archives bool
		served   *served
		saved    int
		ok       bool
	}{
		{true, of(1, 1, 9), 2, true},
		{true, of(1, 2, 0), 0, false},
		{false, of(1, 9, 9), 1, true},
		{false, of(2, 0, 0), 0, false},
	} {
		n, err := (&crawler{name: "c", archives: c.archives}).checkSaved(dir, c.served)
		if n != c.saved || (err == nil) != c.ok {
			t.Errorf("%v, %+v: %d, %v", c.archives, c.served.Kinds, n, err)
		}
	}
}
