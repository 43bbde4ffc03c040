// Package testkit makes scripts for the tests of crawls.
package testkit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"multitext/script"
	"multitext/txlog"
)

// OneStage is a script with one stage that lacks its command, CopyStage one that copies its input.
const (
	OneStage = `
seeds = { a = "seed" }
[stage.one]
in    = "a"
out   = "b"
retry = 0
wait  = "10ms"
`
	CopyStage = OneStage + "run = \"cp {in} {b}\"\n"
)

// A World is a script in a folder of its own.
type World struct {
	T      testing.TB
	Script *script.Script
	Said   bytes.Buffer // what the crawl has said
}

// New reads a script; the seed file "seed" is there.
func New(t testing.TB, flow string) *World {
	t.Helper()
	dir := t.TempDir()
	w := &World{T: t}
	w.Must(os.WriteFile(filepath.Join(dir, "seed"), []byte("1\n"), 0o666))
	var err error
	find := func(program string) (string, []string) {
		path, _ := exec.LookPath(program)
		return path, nil
	}
	w.Script, err = script.Parse(filepath.Join(dir, "crawl.toml"), []byte("flow = 1\ndir = \"crawl\"\n"+flow), find)
	w.Must(err)
	return w
}

// Must ends the test if there is an error.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatalf("%v; it said\n%s", err, w.Said.String())
	}
}

// Path is the path of something in the crawl's directory.
func (w *World) Path(name string) string { return filepath.Join(w.Script.Dir, name) }

// SaidAll wants that each of the parts was said.
func (w *World) SaidAll(parts ...string) {
	w.T.Helper()
	Says(w.T, w.Said.String(), parts...)
}

// Says wants each of the parts in what was said.
func Says(t testing.TB, said string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("it did not say %q but\n%s", part, said)
		}
	}
}

// Inbox lists the names in the inbox.
func (w *World) Inbox() (ids []string) {
	w.T.Helper()
	entries, err := os.ReadDir(w.Path(txlog.InboxDir))
	w.Must(err)
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids
}

// History returns the commits of the log, and of those before it.
func (w *World) History() (all []*txlog.Commit) {
	w.T.Helper()
	_, err := txlog.History(w.Script.Dir, txlog.Position{}, func(r txlog.Record) error {
		all = append(all, r.(*txlog.Commit))
		return nil
	}, nil)
	w.Must(err)
	return all
}

// Notes returns what the commits say for people.
func (w *World) Notes() (all []string) {
	w.T.Helper()
	for _, c := range w.History() {
		all = append(all, c.Notes...)
	}
	return all
}

// A BadDisk fails the sync of files whose path, and a newline, holds Part: as many Times, after
// as many.
type BadDisk struct {
	txlog.OS
	Part         string
	After, Times int
	Err          error
}

// Sync implements txlog.Disk.
func (d *BadDisk) Sync(path string) error {
	if strings.Contains(path+"\n", d.Part) && d.Times > 0 {
		if d.After--; d.After < 0 {
			d.Times--
			return &os.PathError{Op: "sync", Path: path, Err: d.Err}
		}
	}
	return d.OS.Sync(path)
}

// FullDisk has room for names, and none for what is brought into a queue until Times is 0.
func FullDisk() *BadDisk { return &BadDisk{Part: "/work/", Times: 1 << 30, Err: syscall.ENOSPC} }
