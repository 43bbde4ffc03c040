package crawl

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
	"multitext/txlog/crash"
)

// A request that cannot be read by no fault of its own stays, waits and is taken later; so
// does one whose files cannot be read.
func TestUnreadRequestStays(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	leaveAdd(w, c)
	id := w.Inbox()[0]
	whole := c.consider(id)
	c.number(whole.rec)
	crash.Refusing(t, unix.SYS_READ, syscall.EIO, func() {
		if left := w.take(c); !errors.Is(left[id], syscall.EIO) {
			t.Errorf("left are %v; want that the request waits", left)
		}
	})
	crash.Refusing(t, unix.SYS_LINKAT, syscall.EIO, func() { c.carryOut(whole) })
	if !errors.Is(whole.machine, syscall.EIO) || whole.refusal != nil {
		t.Errorf("its file: %v, refused %v; want the error as the machine's", whole.machine, whole.refusal)
	}
	crash.Refusing(t, unix.SYS_OPENAT, syscall.EMFILE, func() {
		if a := c.consider(id); !errors.Is(a.machine, syscall.EMFILE) || a.refusal != nil {
			t.Errorf("without descriptors: %v, refused %v", a.machine, a.refusal)
		}
	})
	w.Must(c.Dir.Clear(whole.rec.Tx))
	if ids := w.Inbox(); len(ids) != 1 {
		t.Errorf("the inbox holds %v", ids)
	}
	w.take(c)
	if len(w.Inbox()) != 0 || len(c.Log.State.Files()) != 1 {
		t.Errorf("the inbox holds %v and the crawl %v", w.Inbox(), c.Log.State.Files())
	}
}

// A start that cannot look at a file says so. It takes none for gone, or for fetched by
// another machine.
func TestStartCannotLook(t *testing.T) {
	w := newWorld(t, copyStage+"[queue.b]\nexport = true\n")
	c := w.open()
	w.Must(c.Begin(func(string) {}))
	copyOne := func(_ int, to string) (txlog.Output, error) { return copyIn(c.Dir.Disk, strings.NewReader("1\n"), to) }
	w.Must(c.carry(&txlog.Commit{Tx: 9}, "b", []string{"seed"}, copyOne))
	w.Must(c.Log.Append(&txlog.Commit{Tx: 9, Read: -1, Outputs: []txlog.Output{
		{Name: "b/m-000000000009-00001", Size: 2, Records: -1, Export: true}}}))
	crash.Refusing(t, unix.SYS_NEWFSTATAT, syscall.EIO, func() {
		if rec, err := workdir.Examine(c.Dir.Root); !errors.Is(err, syscall.EIO) {
			t.Errorf("%+v, %v; want the error", rec, err)
		}
		_, err := workdir.Open(c.Dir.Root, txlog.OS{}, func(string) {})
		if !errors.Is(err, syscall.EIO) || strings.Contains(err.Error(), "no directory") {
			t.Errorf("the directory itself: %v", err)
		}
		if path, err := workdir.Where(c.Dir.Root, "b/m-000000000009-00001"); !errors.Is(err, syscall.EIO) {
			t.Errorf("it lies at %s, %v; want the error", path, err)
		}
	})
	rec, err := workdir.Examine(c.Dir.Root)
	if w.Must(err); len(rec.Place) != 1 {
		t.Errorf("to be placed is %v; nothing was tested", rec.Place)
	}
}
