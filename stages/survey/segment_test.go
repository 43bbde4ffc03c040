package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// golden are rows of each kind.
func golden() []*row {
	s := newSums()
	s.count(kindAll, "answers", 3000)
	s.when(1700000000123)
	s.when(1600000000000)
	s.count(kindStatus, "200", 2000)
	s.count(kindType, "text/html", 2000)
	s.count(kindSize, "11", 2000)
	s.count(kindDepth, "2", 2000)
	s.count(kindDay, "2026-11-21", 2000)
	s.count(kindLanguage, "tab\there", 2000)
	s.count(kindOutcome, "new", 2000)
	s.at(kindScore, "0.5", 2).n[colFound] = 7
	r := s.at(kindReason, "robots", 1)
	r.n[0], r.text = 3, "http://a.test/x"
	h := s.host("a.test:8080")
	for i := range h.n {
		h.n[i] = int64(10 - i)
	}
	return s.sorted()
}

// segment returns the bytes of a segment of rows, and what they say.
func segment(t *testing.T, rows []*row) ([]byte, *whole) {
	t.Helper()
	var b bytes.Buffer
	w, err := (&options{top: 10}).join(&b, "", rows)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), w
}

// TestGolden: a segment of version 1 is read and written as ever.
func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "v1")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, made := segment(t, golden())
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is written today:\n%s", path, got)
	}
	read, err := (&options{top: 10}).join(io.Discard, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read.tables(), made.tables()) || read.written != made.size() {
		t.Errorf("read are\n%s\nwith %d, written were\n%s\nwith %d", read.tables(), read.written, made.tables(), made.size())
	}
	if r := stagetest.Run(t, tool(), setup, "", "-verify", path); r.Code != stage.ExitDone {
		t.Errorf("-verify: exit code %d, %s", r.Code, r.Stderr)
	}
}

// TestDamage: a segment of which a byte is another, that is cut, or has something behind its end,
// is refused.
func TestDamage(t *testing.T) {
	text, _ := segment(t, golden())
	path := filepath.Join(t.TempDir(), "bad")
	refused := func(bad []byte) bool {
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		return errors.Is(verify(t.Context(), nil, path), errDamaged)
	}
	for i := range text {
		bad := slices.Clone(text)
		bad[i] ^= 1 << (i % 7)
		if !refused(bad) {
			t.Fatalf("with another byte %d it is accepted:\n%s", i, bad)
		}
	}
	for i := range len(text) - 1 { // the last newline may be missing
		if !refused(text[:i]) {
			t.Fatalf("cut to %d bytes it is accepted", i)
		}
	}
	if !refused(append(slices.Clone(text), "more\n"...)) {
		t.Error("with another line it is accepted")
	}
}
