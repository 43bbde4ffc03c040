package runner

import (
	"os"
	"syscall"
	"testing"
)

// A run that fails is told to the log also on a full disk, in the room that its own files
// have left.
func TestRoomForAnAbort(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"false\"\n")
	disk := &crammedDisk{}
	disk.before = func(string) error { return disk.room("log") }
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
	onAppend
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
