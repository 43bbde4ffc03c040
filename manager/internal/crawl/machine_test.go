package crawl

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

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
	id := inboxOf(w)[0]
	whole := c.consider(id)
	c.number(whole.rec)
	crash.Refusing(t, unix.SYS_READ, syscall.EIO, func() {
		if some, err := c.takeRequests(); some || err != nil {
			t.Errorf("some %v, %v; want that the request waits", some, err)
		}
	})
	w.saidAll("request "+id+" could not be carried out: read", "input/output error; it is tried again in 1s")
	crash.Refusing(t, unix.SYS_LINKAT, syscall.EIO, func() { c.carryOut(whole) })
	if !errors.Is(whole.machine, syscall.EIO) || whole.refusal != nil {
		t.Errorf("its file: %v, refused %v; want the error as the machine's", whole.machine, whole.refusal)
	}
	crash.Refusing(t, unix.SYS_OPENAT, syscall.EMFILE, func() {
		if a := c.consider(id); !errors.Is(a.machine, syscall.EMFILE) || a.refusal != nil {
			t.Errorf("without descriptors: %v, refused %v", a.machine, a.refusal)
		}
	})
	if over, err := c.over(c.environment()); over || err != nil || len(inboxOf(w)) != 1 {
		t.Errorf("over: %v, %v; the inbox holds %v", over, err, inboxOf(w))
	}
	w.must(c.Dir.Clear(whole.rec.Tx))
	c.left.notBefore = time.Time{}
	_, err := c.takeRequests()
	w.must(err)
	if len(inboxOf(w)) != 0 || len(c.state.Files()) != 1 {
		t.Errorf("the inbox holds %v and the crawl %v", inboxOf(w), c.state.Files())
	}
}

// What the machine fails in while it judges a run, or looks at its inputs, is charged to
// nobody, and no file is taken for gone.
func TestMachineFailsAtRun(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	w.must(c.takeSeeds())
	c.rebuild()
	k := c.table.Next(c.environment())
	r := &run{take: k}
	tx, err := c.Dir.Begin(7, k.Stage.Out, k.Stage.State)
	w.must(err)
	r.tx = tx
	for call, errno := range map[uintptr]syscall.Errno{
		unix.SYS_OPENAT: syscall.EMFILE, unix.SYS_NEWFSTATAT: syscall.EIO, unix.SYS_GETDENTS64: syscall.ENOMEM,
	} {
		crash.Refusing(t, call, errno, func() {
			ev := &ended{run: r}
			_, ev.err = c.judge(r)
			if why := c.judgeExit(ev); !errors.Is(ev.err, errno) || why.charged || !why.machine {
				t.Errorf("%v: it is told %v and taken for %+v", errno, ev.err, why)
			}
		})
	}
	crash.Refusing(t, unix.SYS_NEWFSTATAT, syscall.EIO, func() {
		if err := c.start(k); err != nil {
			t.Errorf("the start of a run: %v", err)
		}
	})
	w.saidAll("cannot start: lstat", "input/output error; it is tried again in 1s")
	for _, b := range c.state.Batches() {
		if !b.Mark("one").Zero() {
			t.Errorf("%+v is charged", b.Mark("one"))
		}
	}
}

// A start that cannot look at a file says so. It takes none for gone, or for fetched by
// another machine.
func TestStartCannotLook(t *testing.T) {
	w := newWorld(t, copyStage+"[queue.b]\nexport = true\n")
	c := w.open()
	w.must(c.takeSeeds())
	copyOne := func(_ int, to string) (txlog.Output, error) { return copyIn(c.Dir.Disk, strings.NewReader("1\n"), to) }
	w.must(c.carry(&txlog.Commit{Tx: 9}, "b", []string{"seed"}, copyOne))
	w.must(c.Log.Append(&txlog.Commit{Tx: 9, Read: -1, Outputs: []txlog.Output{
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
	if w.must(err); len(rec.Place) != 1 {
		t.Errorf("to be placed is %v; nothing was tested", rec.Place)
	}
}
