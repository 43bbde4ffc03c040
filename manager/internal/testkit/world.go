// Package testkit creates scripts for the tests of crawls.
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

// OneStage is a script with one stage that has no command. CopyStage is a script with a stage that
// copies its input.
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

// A World is a script in its own folder.
type World struct {
	T      testing.TB
	Script *script.Script
	Said   bytes.Buffer // the messages of the crawl
}

// New reads a script. It creates the seed file "seed".
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

// Must ends the test if err is not nil.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatalf("%v; it said\n%s", err, w.Said.String())
	}
}

// Path returns the path of a name in the crawl's directory.
func (w *World) Path(name string) string { return filepath.Join(w.Script.Dir, name) }

// SaidAll fails the test unless the crawl has printed each of the parts.
func (w *World) SaidAll(parts ...string) {
	w.T.Helper()
	Says(w.T, w.Said.String(), parts...)
}

// Says fails the test unless text contains each of the parts.
func Says(t testing.TB, said string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("it did not say %q but\n%s", part, said)
		}
	}
}

// Inbox returns the names in the inbox.
func (w *World) Inbox() (ids []string) {
	w.T.Helper()
	entries, err := os.ReadDir(w.Path(txlog.InboxDir))
	w.Must(err)
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids
}

// History returns the commits of the log and of the older logs.
func (w *World) History() (all []*txlog.Commit) {
	w.T.Helper()
	_, err := txlog.History(w.Script.Dir, txlog.Position{}, func(r txlog.Record) error {
		all = append(all, r.(*txlog.Commit))
		return nil
	}, nil)
	w.Must(err)
	return all
}

// Notes returns the notes of the commits.
func (w *World) Notes() (all []string) {
	w.T.Helper()
	for _, c := range w.History() {
		all = append(all, c.Notes...)
	}
	return all
}

// A BadDisk makes the sync of some files fail: of those whose path, followed by a newline, contains
// Part. The first After syncs succeed, and the next Times fail.
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

// FullDisk has room for names, but no room for files that enter a queue, until Times is 0.
func FullDisk() *BadDisk { return &BadDisk{Part: "/work/", Times: 1 << 30, Err: syscall.ENOSPC} }
