package runner

import (
	"os"
	"syscall"
	"testing"

	"multitext/txlog"
)

// A run that fails is told to the log also on a full disk, in the room that its own files
// have left.
func TestRoomForAnAbort(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"false\"\n")
	disk := &crammedDisk{}
	c := w.openOn(disk)
	w.Must(c.Begin(c.out.Line))
	c.rebuild()
	_, err := c.startAll()
	w.Must(err)
	for _, r := range c.runs {
		disk.by = r.tx.File("run")
	}
	w.Must((<-c.events).handle(c))
	w.SaidAll("one", "exit 1")
}

// A crammedDisk has no room for work, nor for a line that says so, while a file is there.
type crammedDisk struct {
	txlog.OS
	by string // "" while there is room
}

func (d *crammedDisk) room(path string) error {
	if _, err := os.Stat(d.by); d.by != "" && err == nil {
		return &os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
	}
	return nil
}

func (d *crammedDisk) Mkdir(path string) error {
	if err := d.room(path); err != nil {
		return err
	}
	return d.OS.Mkdir(path)
}

func (d *crammedDisk) Append(path string) (txlog.File, error) {
	f, err := d.OS.Append(path)
	return crammedFile{f, d}, err
}

type crammedFile struct {
	txlog.File
	disk *crammedDisk
}

func (f crammedFile) Write(p []byte) (int, error) {
	if err := f.disk.room("log"); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}
