package crawl

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"multitext/txlog"
)

// What committed runs have left is removed before the crawl says that there is no room,
// and waits for it.
func TestRoomOfWhatWasRead(t *testing.T) {
	runtime.LockOSThread() // processes die with the thread that started them
	defer runtime.UnlockOSThread()
	if os.Getuid() != 0 {
		t.Skip("small disks can only be mounted by root")
	}
	w := newWorld(t, `
seeds = { a = "seed" }
[limit]
disk = "5MiB"
[stage.one]
in  = "a"
out = "b"
run = "cp {in} {b}"
[stage.two]
in  = "b"
run = "true {in}"
`)
	w.must(os.WriteFile(w.script.Seeds[0].File, make([]byte, 2<<20), 0o666))
	w.must(os.Mkdir(w.script.Dir, 0o777))
	err := syscall.Mount("tmpfs", w.script.Dir, "tmpfs", 0, "mode=700,size=8m")
	if errors.Is(err, syscall.EPERM) {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	w.must(err)
	defer syscall.Unmount(w.script.Dir, syscall.MNT_DETACH)
	c := w.open()
	defer c.Close() // before the disk goes
	w.must(c.takeSeeds())
	c.rebuild()
	_, err = c.startAll()
	w.must(err)
	w.must((<-c.events).handle(c))
	if left := w.leavings(); left == "" || c.table.Disk(c.environment()).OK {
		t.Fatalf("nothing is tested: there is room, or nothing to make it of in %q", left)
	}
	_, err = c.startAll()
	w.must(err)
	if c.table.Running() != 1 {
		t.Fatal("it waits for room that it had only to make")
	}
	w.must((<-c.events).handle(c))
}

// A run that finds no room to start, or that fails, is told to the log all the same, in the
// room that the last one has left.
func TestRoomForAnAbort(t *testing.T) {
	for run, started := range map[string]bool{"true {in}": false, "false": true} {
		runtime.LockOSThread() // processes die with the thread that started them
		defer runtime.UnlockOSThread()
		w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n[stage.two]\nin = \"b\"\nrun = \""+run+"\"\n")
		disk := &crammedDisk{}
		c := w.openOn(disk)
		w.must(c.takeSeeds())
		c.rebuild()
		_, err := c.startAll()
		w.must(err)
		w.must((<-c.events).handle(c))
		left := w.leavings()
		if left == "" {
			t.Fatal("nothing is tested: nothing was left")
		}
		if !started {
			disk.by = strings.Fields(left)[0]
		}
		_, err = c.startAll()
		w.must(err)
		if !started {
			w.saidAll("two", "cannot start", "no space left")
			continue
		}
		disk.by = strings.Fields(left)[0]
		w.must((<-c.events).handle(c))
		w.saidAll("two", "exit 1")
	}
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
