package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// syncs is a Disk that remembers what was made durable.
type syncs struct {
	txlog.OS
	paths []string
}

func (d *syncs) Sync(path string) error {
	d.paths = append(d.paths, path)
	return d.OS.Sync(path)
}

// born makes a crawl's directory with a queue "a" and a log, and returns both.
func born(t *testing.T, root string) (*Dir, *txlog.Log) {
	t.Helper()
	d := &Dir{Root: root, Disk: txlog.OS{}}
	log, err := txlog.Begin(d.Disk, root, txlog.NewState("e"), nil)
	must(t, err)
	t.Cleanup(func() { log.Close() })
	must(t, d.Layout([]string{"a"}, []string{"seen"}))
	return d, log
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must(t, os.WriteFile(path, []byte(text), 0o666))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// recovered carries out what a start finds to do.
func recovered(t *testing.T, d *Dir) *Recovery {
	t.Helper()
	rec, err := Examine(d.Root)
	must(t, err)
	must(t, d.Prepare(rec))
	log, err := txlog.Begin(d.Disk, d.Root, rec.State, nil)
	must(t, err)
	defer log.Close()
	must(t, d.Recover(rec, log))
	return rec
}

// A directory and all above it that were not there are made durable.
func TestOpenMakesPathDurable(t *testing.T) {
	top := t.TempDir()
	disk := &syncs{}
	root := filepath.Join(top, "x", "y", "crawl")
	d, err := Open(root, disk, func(string) {})
	must(t, err)
	if !exists(d.Root) {
		t.Fatal("it is not there")
	}
	for _, dir := range []string{top, filepath.Join(top, "x"), filepath.Join(top, "x", "y")} {
		if !slices.Contains(disk.paths, dir) {
			t.Errorf("the entry made in %s was not made durable; synced were %v", dir, disk.paths)
		}
	}
}

// A queue that is not a directory, or lies on another file system, is refused before
// anything could be committed into it.
func TestLayoutRefusesWhatCannotBeRenamedInto(t *testing.T) {
	d, _ := born(t, t.TempDir())
	write(t, d.Path("file"), "x")
	if err := d.Layout([]string{"file"}, nil); err == nil || !strings.Contains(err.Error(), "is not a directory") {
		t.Errorf("a file: %v", err)
	}
	other, err := os.MkdirTemp("/dev/shm", "multitext-layout-")
	if err != nil {
		t.Skipf("there is no second file system: %v", err)
	}
	defer os.RemoveAll(other)
	must(t, os.Symlink(other, d.Path("away")))
	if err := d.Layout([]string{"away"}, nil); err == nil || !strings.Contains(err.Error(), "another file system") {
		t.Errorf("a link to another file system: %v", err)
	}
}

// Everything of a run that did not commit is removed, and nothing else in work/ or in a queue.
func TestRollBack(t *testing.T) {
	d, _ := born(t, t.TempDir())
	tx, err := d.Begin(7, []string{"a"}, "seen")
	must(t, err)
	must(t, tx.WriteRun(RunFile{Stage: "one", Inputs: []txlog.Name{"a/m-000000000001-00001"},
		Command: []string{"x\ny"}}))
	must(t, tx.AddPid(4))
	write(t, tx.Output("a", "txt"), "half")
	outside := t.TempDir()
	write(t, filepath.Join(outside, "precious"), "x")
	must(t, os.Symlink(outside, tx.File("tmp/link")))
	write(t, d.Path("work/mine/notes"), "x")
	write(t, d.Path("a/mine.txt"), "mine")
	rec := recovered(t, d)
	if len(rec.RollBack) != 1 || rec.RollBack[0].Tx != 7 || rec.RollBack[0].Run.Stage != "one" ||
		rec.RollBack[0].Run.Pid != 4 || rec.RollBack[0].Run.Command[0] != "x\ny" {
		t.Errorf("rolled back %+v", rec.RollBack)
	}
	for path, want := range map[string]bool{
		tx.Path: false, d.Path("work/mine/notes"): true, d.Path("a/mine.txt"): true,
		filepath.Join(outside, "precious"): true,
	} {
		if exists(path) != want {
			t.Errorf("%s is there: %v", path, !want)
		}
	}
	if rec.State.Next() != 8 {
		t.Errorf("the next number is %d, want one above that of work/", rec.State.Next())
	}
}

// A folder of an exported queue is durable before anything is put into it: when this
// process makes it, when it finds it and cannot know, and when it was taken away meanwhile.
func TestFolderIsDurableFirst(t *testing.T) {
	d, _ := born(t, t.TempDir())
	disk := &syncs{}
	d.Disk = disk
	place := func(tx uint64, folder string) (synced bool, err error) {
		name := txlog.Name("a/" + folder + "/" + txlog.FileName("m", tx, 1, "txt"))
		write(t, filepath.Join(d.Root, workDir, txlog.TxDir(tx), string(name)), "x")
		disk.paths = nil
		err = d.Place(name)
		if err == nil && !exists(d.Path(string(name))) {
			t.Errorf("%s is not in its place", name)
		}
		return slices.Contains(disk.paths, d.Path("a")), err
	}
	must(t, os.Mkdir(d.Path("a/found"), 0o777))
	for i, c := range []struct {
		folder string
		synced bool
	}{{"new", true}, {"new", false}, {"found", true}, {"found", false}, {"taken", true}} {
		if synced, err := place(uint64(i+1), c.folder); err != nil || synced != c.synced {
			t.Errorf("%d, %s: queue synced %v, %v; want %v", i, c.folder, synced, err, c.synced)
		}
	}
	must(t, os.RemoveAll(d.Path("a/taken")))
	if synced, err := place(8, "taken"); err != nil || !synced {
		t.Errorf("taken away: queue synced %v, %v", synced, err)
	}
	write(t, d.Path("a/file"), "x")
	must(t, os.RemoveAll(d.Path("a/found")))
	must(t, os.Mkdir(d.Path("elsewhere"), 0o777))
	must(t, os.Symlink("../elsewhere", d.Path("a/link")))
	must(t, os.Symlink("../elsewhere", d.Path("a/found")))
	for i, folder := range []string{"file", "link", "found"} {
		if _, err := place(uint64(9+i), folder); err == nil ||
			!strings.Contains(err.Error(), "a/"+folder+" is not a directory; move it away") {
			t.Errorf("another thing in the place of %s: %v", folder, err)
		}
	}
}

// thief takes a folder away, once, when something is about to be put into it.
type thief struct {
	txlog.OS
	folder string
}

func (d *thief) Rename(from, to string) error {
	if d.folder != "" {
		if err := os.Remove(d.folder); err != nil {
			return err
		}
		d.folder = ""
	}
	return d.OS.Rename(from, to)
}

// A folder that another machine removes at the worst instant is made once more.
func TestFolderTakenAtTheLastInstant(t *testing.T) {
	d, _ := born(t, t.TempDir())
	d.Disk = &thief{folder: d.Path("a/far")}
	name := txlog.Name("a/far/" + txlog.FileName("m", 1, 1, "txt"))
	write(t, filepath.Join(d.Root, workDir, txlog.TxDir(1), string(name)), "x")
	must(t, d.Place(name))
	if !exists(d.Path(string(name))) {
		t.Error("it is not in its place")
	}
	if err := d.Place("a/far/m-000000000002-00001.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of what is nowhere: %v", err)
	}
}

// A file whose number the log never gave out tells that the log has lost its end, in a
// queue that the log does not name and in a folder, too. A stranger's, so high that none
// was ever given, tells nothing. A folder that cannot be read does not keep a crawl from
// its start.
func TestNumbersTellOfLostLines(t *testing.T) {
	d, log := born(t, t.TempDir())
	must(t, log.Append(&txlog.Commit{Tx: 1, Stage: "one", Read: -1,
		Outputs: []txlog.Output{{Name: "a/far/m-000000000001-00001.txt", Size: 1, Records: -1, Export: true}}}))
	write(t, d.Path("a/far/hash-000000000001-00002.warc.gz"), "x")
	write(t, d.Path("a/far/deep/m-000000000099-00001.txt"), "x")
	write(t, d.Path("a/no folder/m-000000000098-00001.txt"), "x")
	write(t, d.Path("a/far/m-999999999999-00001.txt"), "x")
	write(t, d.Path("a/m-999999999998-00001.txt"), "x")
	must(t, os.Mkdir(d.Path("a/closed"), 0))
	t.Cleanup(func() { os.Chmod(d.Path("a/closed"), 0o777) })
	if _, err := Examine(d.Root); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/far/hash-000000000041-00001.warc.gz", "new/m-000000000002-00001",
		"state/new/m-000000000002-00001.seg", "failed/000000000007"} {
		write(t, d.Path(name), "x")
		var behind *Behind
		if _, err := Examine(d.Root); !errors.As(err, &behind) || len(behind.Evidence) != 1 ||
			!strings.HasPrefix(behind.Evidence[0], name+" has a number") {
			t.Errorf("%s: %v", name, err)
		}
		must(t, os.Remove(d.Path(name)))
	}
}

// A file that another user has put into an open folder is no evidence.
func TestNumbersOfAnotherUser(t *testing.T) {
	d, _ := born(t, t.TempDir())
	write(t, d.Path("a/far/m-000000000041-00001.txt"), "x")
	if err := os.Chown(d.Path("a/far/m-000000000041-00001.txt"), 65534, -1); err != nil {
		t.Skipf("only root gives files away: %v", err)
	}
	if _, err := Examine(d.Root); err != nil {
		t.Error(err)
	}
}

// Examine takes no commit of a crawl that runs meanwhile for lost.
func TestNotBehindAManagerAtWork(t *testing.T) {
	d, log := born(t, t.TempDir())
	for n := range 500 { // that are looked into before it looks where the commits come
		must(t, os.MkdirAll(d.Path(fmt.Sprintf("a/folder-%d", n)), 0o700))
	}
	looked := make(chan error)
	go func() {
		var err error
		for range 10 {
			if _, err = Examine(d.Root); err != nil {
				break
			}
		}
		looked <- err
	}()
	for tx := uint64(1); ; tx++ {
		name := txlog.Name("z/" + txlog.FileName("m", tx, 1, "txt"))
		must(t, log.Append(&txlog.Commit{Tx: tx, Stage: "one", Read: -1,
			Outputs: []txlog.Output{{Name: name, Size: 1, Records: -1, Export: true}}}))
		write(t, d.Path(string(name)), "x")
		select {
		case err := <-looked:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}

// Between the removal of a failed run's files and the line that says so, the
// empty directory keeps its number from being used again.
func TestEmptyKeepsTheNumber(t *testing.T) {
	d, _ := born(t, t.TempDir())
	tx, err := d.Begin(7, []string{"a"}, "")
	must(t, err)
	must(t, tx.WriteRun(RunFile{Stage: "one"}))
	must(t, d.Empty(7))
	rec := recovered(t, d)
	if len(rec.RollBack) != 0 || !slices.Equal(rec.Leftover, []uint64{7}) || rec.State.Next() != 8 {
		t.Errorf("roll back %v, leftover %v, next %d; want the leftover alone and 8", rec.RollBack, rec.Leftover,
			rec.State.Next())
	}
	if exists(tx.Path) {
		t.Error("it is still there")
	}
}

// A stage may leave directories in which it allows nothing; they are removed.
func TestClearOpensClosedDirectories(t *testing.T) {
	d := &Dir{Root: openToAll(t), Disk: txlog.OS{}}
	asNobody(t)
	must(t, os.Mkdir(d.Path("work"), 0o777))
	tx, err := d.Begin(1, nil, "")
	must(t, err)
	for _, mode := range []os.FileMode{0, 0o300, 0o555} {
		dir := tx.File("tmp/" + mode.String() + "/deep")
		write(t, filepath.Join(dir, "file"), "x")
		must(t, os.Chmod(dir, mode))
		must(t, os.Chmod(filepath.Dir(dir), mode))
	}
	if err := os.Remove(tx.File("tmp/" + os.FileMode(0o555).String() + "/deep/file")); err == nil {
		t.Fatal("nothing is tested: the closed directory is open")
	}
	if err := d.Clear(1); err != nil || exists(tx.Path) {
		t.Errorf("%v; it is there: %v", err, exists(tx.Path))
	}
}

// The next start removes half a request, unless a verb is writing one.
func TestHalfRequests(t *testing.T) {
	d, _ := born(t, t.TempDir())
	write(t, d.Path("inbox/.0123/request"), "x")
	release, err := d.Writing()
	must(t, err)
	if rec := recovered(t, d); !slices.Equal(rec.Halves, []string{".0123"}) || !exists(d.Path("inbox/.0123")) {
		t.Errorf("while a request is written: halves %v", rec.Halves)
	}
	must(t, release())
	recovered(t, d)
	if exists(d.Path("inbox/.0123")) {
		t.Error("half a request is still there")
	}
}

// The end of stderr is cut at a line, where there is one.
func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stderr")
	for _, c := range []struct {
		text string
		n    int64
		want string
	}{
		{"", 10, ""}, {"one\ntwo\n", 10, "one\ntwo"}, {"one\ntwo\n", 6, "two"}, {"onetwo", 3, "two"},
		{"one\nlong\n", 3, "ng"},
	} {
		write(t, path, c.text)
		if got := Tail(path, c.n); got != c.want {
			t.Errorf("the last %d of %q: %q, want %q", c.n, c.text, got, c.want)
		}
	}
	must(t, syscall.Mkfifo(path+".pipe", 0o666))
	for _, name := range []string{".none", ".pipe"} {
		if got := Tail(path+name, 3); got != "" {
			t.Errorf("of %s: %q", name, got)
		}
	}
}

// Of the files that left the live set only those that still exist are to be removed. If none can be
// looked at, that is all of them, because any may exist.
func TestFindGone(t *testing.T) {
	d := &Dir{Root: t.TempDir()}
	there, gone := txlog.Name("a/m-000000000001-00001.zst"), txlog.Name("none/m-000000000002-00001.zst")
	write(t, d.Path(string(there)), "")
	found := func() []txlog.Name {
		rec := &Recovery{State: txlog.NewState("")}
		for _, name := range []txlog.Name{there, gone} {
			must(t, rec.State.Apply(&txlog.Commit{Outputs: []txlog.Output{{Name: name}}}))
			must(t, rec.State.Apply(&txlog.Commit{Gone: []txlog.Name{name}}))
		}
		rec.findGone(d)
		return rec.Remove
	}
	if got := found(); !slices.Equal(got, []txlog.Name{there}) {
		t.Errorf("to be removed is %v, want %v", got, there)
	}
	crash.Refusing(t, unix.SYS_NEWFSTATAT, syscall.EIO, func() {
		if got := found(); !slices.Equal(got, []txlog.Name{there, gone}) {
			t.Errorf("unseen, to be removed is %v, want both", got)
		}
	})
}
