package runner

import (
	"errors"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"multitext/txlog/crash"
)

// What the machine fails in while it judges a run, or looks at its inputs, is charged to
// nobody, and no file is taken for gone.
func TestMachineFailsAtRun(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	w.Must(c.Begin(c.out.Line))
	c.rebuild()
	k := c.table.Next(c.environment())
	r := &run{take: k}
	tx, err := c.Dir.Begin(7, k.Stage.Out, k.Stage.State)
	w.Must(err)
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
	w.SaidAll("cannot start: lstat", "input/output error; it is retried in 1s")
	for _, b := range c.state.Batches() {
		if !b.Mark("one").Zero() {
			t.Errorf("%+v is charged", b.Mark("one"))
		}
	}
}
