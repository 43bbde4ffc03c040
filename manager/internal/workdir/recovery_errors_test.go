package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// What a start of muchToDo finds.
const (
	aBatch   = txlog.Name("a/m-000000000001-00001.txt")
	anExport = txlog.Name("a/far/m-000000000001-00002.txt")
	anInput  = txlog.Name("a/m-000000000002-00001.txt")
)

// muchToDo is a directory in which a start has all of it to do: a batch and an exported
// one to put in their places, an input and an answered request to remove, and of what was
// cut off a temporary file, a request, a run, and a run that had ended.
func muchToDo(t *testing.T) *Dir {
	t.Helper()
	d, log := born(t, t.TempDir())
	must(t, log.Append(&txlog.Commit{Tx: 1, Stage: "one", Read: -1, Outputs: []txlog.Output{{Name: aBatch, Size: 4},
		{Name: anExport, Size: 3, Export: true}}}))
	must(t, log.Append(&txlog.Commit{Tx: 2, Read: -1, Outputs: []txlog.Output{{Name: anInput, Size: 5}}}))
	must(t, log.Append(&txlog.Commit{Tx: 3, Read: -1, Request: "0123", Gone: []txlog.Name{anInput}}))
	write(t, d.Path("work/000000000001/"+string(aBatch)), "four")
	write(t, d.Path("work/000000000001/"+string(anExport)), "far")
	write(t, d.Path(string(anInput)), "input")
	for _, path := range []string{"work/000000000001/run", "work/000000000004/run", "inbox/0123/request",
		"inbox/.45/request", "history/.log-000001.zst7"} {
		write(t, d.Path(path), "x")
	}
	return d
}

// recoverOn is a start on a disk.
func (d *Dir) recoverOn(disk txlog.Disk) error {
	d = &Dir{Root: d.Root, Disk: disk, warn: func(string) {}}
	rec, err := Examine(d.Root)
	if err == nil {
		err = d.Prepare(rec)
	}
	if err != nil {
		return err
	}
	log, err := txlog.Begin(d.Disk, d.Root, rec.State, nil)
	if err != nil {
		return err
	}
	return errors.Join(d.Recover(rec, log), log.Close())
}

// Each call by which a start changes the directory fails. None is passed over, and the
// start after it brings everything about.
func TestEveryCallOfARecoveryFails(t *testing.T) {
	t.Setenv(crash.FailWith, "EIO")
	for at := 1; ; at++ {
		d := muchToDo(t)
		mark := filepath.Join(t.TempDir(), "mark")
		t.Setenv(crash.FailAt, strconv.Itoa(at))
		t.Setenv(crash.KillMark, mark)
		err := d.recoverOn(crash.FromEnv())
		where, _ := os.ReadFile(mark)
		if len(where) > 0 && !errors.Is(err, syscall.EIO) {
			t.Errorf("call %d, %s: %v, want the error", at, where, err)
		}
		if err := d.recoverOn(txlog.OS{}); err != nil {
			t.Fatalf("after call %d, %s: %v", at, where, err)
		}
		d.wantsAllDone(t, string(where))
		if len(where) == 0 {
			if at < 25 || err != nil {
				t.Errorf("only %d calls failed; the last start: %v", at-1, err)
			}
			return
		}
	}
}

func (d *Dir) wantsAllDone(t *testing.T, after string) {
	t.Helper()
	for name, want := range map[txlog.Name]string{aBatch: "four", anExport: "far"} {
		if text, err := os.ReadFile(d.Path(string(name))); err != nil || string(text) != want {
			t.Errorf("after %s: %s holds %q, %v", after, name, text, err)
		}
	}
	if exists(d.Path(string(anInput))) {
		t.Errorf("after %s: %s is still there", after, anInput)
	}
	for _, dir := range []string{workDir, txlog.InboxDir, txlog.HistoryDir} {
		entries, err := os.ReadDir(d.Path(dir))
		must(t, err)
		for _, e := range entries {
			if dir != txlog.HistoryDir || temporary.MatchString(e.Name()) {
				t.Errorf("after %s: %s/%s is still there", after, dir, e.Name())
			}
		}
	}
}

// A work/ that cannot be listed is not an empty one.
func TestWorkThatCannotBeListed(t *testing.T) {
	d := muchToDo(t)
	rp, err := txlog.Load(d.LogPath())
	must(t, err)
	crash.Refusing(t, unix.SYS_GETDENTS64, syscall.EIO, func() {
		if _, err := ExamineState(d.Root, rp.State); !errors.Is(err, syscall.EIO) {
			t.Errorf("a look: %v", err)
		}
		if err := d.emptyWork(); !errors.Is(err, syscall.EIO) {
			t.Errorf("emptying it: %v", err)
		}
	})
}

// A file is looked for elsewhere only where it is known not to be in its place.
func TestPlaceThatCannotBeLookedAt(t *testing.T) {
	d, log := born(t, openToAll(t))
	must(t, log.Append(&txlog.Commit{Tx: 1, Read: -1, Outputs: []txlog.Output{{Name: aBatch, Size: 4}}}))
	write(t, d.Path("work/000000000001/"+string(aBatch)), "four")
	rp, err := txlog.Load(d.LogPath())
	must(t, err)
	must(t, os.Chmod(d.Path("a"), 0))
	asNobody(t)
	if rec, err := ExamineState(d.Root, rp.State); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%+v, %v; want the error", rec, err)
	}
}

// openToAll is a directory that everybody may write in.
func openToAll(t *testing.T) string {
	t.Helper()
	root, err := os.MkdirTemp("", "workdir-open-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(root) })
	must(t, os.Chmod(root, 0o777))
	return root
}

// asNobody lets root look with the eyes of nobody until the test ends.
func asNobody(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		must(t, syscall.Setfsuid(65534))
		t.Cleanup(func() { syscall.Setfsuid(0); runtime.UnlockOSThread() })
	}
}

// A run whose end was in the log of before is never said to be rolled back, though the
// start that cleared it away was cut off when the next log knew no more that it had ended.
func TestEndedRunIsNeverRolledBack(t *testing.T) {
	d := muchToDo(t)
	rec, err := Examine(d.Root)
	must(t, err)
	must(t, d.Prepare(rec))
	log, err := txlog.Begin(d.Disk, d.Root, rec.State, nil)
	must(t, err)
	must(t, log.Close())
	if rec, err = Examine(d.Root); err != nil || len(rec.RollBack) != 1 || rec.RollBack[0].Tx != 4 {
		t.Errorf("%v; rolled back would be %+v, want transaction 4 alone", err, rec.RollBack)
	}
}
