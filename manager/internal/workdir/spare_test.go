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

	"multitext/txlog"
)

// below lists what is in a directory with modes and sizes of files.
func below(t *testing.T, root string) (all []string) {
	t.Helper()
	must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		info, err := e.Info()
		must(t, err)
		name, err := filepath.Rel(root, path)
		must(t, err)
		var text []byte
		if info.Mode().IsRegular() {
			text, err = os.ReadFile(path)
			must(t, err)
		}
		owner := info.Sys().(*syscall.Stat_t)
		all = append(all, fmt.Sprint(name, info.Mode(), owner.Uid, owner.Gid, string(text)))
		return nil
	}))
	return all
}

// chown gives away what root may give away.
func chown(t *testing.T, path string) {
	t.Helper()
	if err := os.Lchown(path, 12345, 12345); errors.Is(err, fs.ErrPermission) {
		t.Skip("only root may give a file away")
	} else {
		must(t, err)
	}
}

// begun is a transaction with a directory that was just made.
func begun(t *testing.T, d *Dir, number uint64) *Tx {
	t.Helper()
	tx, err := d.Begin(number, []string{"a", "x"}, "seen")
	must(t, err)
	return tx
}

// asRun leaves in it what a run leaves that has ended and was committed; more is what
// else the stage has done.
func asRun(t *testing.T, tx *Tx, more func(tx *Tx)) *Tx {
	t.Helper()
	must(t, tx.WriteRun(RunFile{Stage: "one"}, "e"))
	stderr, err := tx.Stderr()
	must(t, err)
	must(t, stderr.Close())
	write(t, tx.File("report"), "in 1\n")
	write(t, tx.File("tmp/deep/file"), "x")
	_, err = tx.List("seen", nil)
	must(t, err)
	more(tx)
	return tx
}

// Whatever a run has left, its directory is handed on as one that was just made, or it is
// gone; so also when it was handed on before.
func TestSpareIsLikeNew(t *testing.T) {
	for name, c := range map[string]struct {
		spare bool
		more  func(tx *Tx)
	}{
		"nothing more":         {true, func(*Tx) {}},
		"words":                {true, func(tx *Tx) { write(t, tx.File("stderr"), "woe\n") }},
		"a closed stderr":      {true, func(tx *Tx) { must(t, os.Chmod(tx.File("stderr"), 0)) }},
		"no stderr":            {true, func(tx *Tx) { must(t, os.Remove(tx.File("stderr"))) }},
		"a directory for it":   {false, func(tx *Tx) { must(t, os.Remove(tx.File("stderr"))); must(t, os.Mkdir(tx.File("stderr"), 0o777)) }},
		"a folder":             {false, func(tx *Tx) { must(t, os.Mkdir(tx.File("x/far"), 0o777)) }},
		"a directory more":     {false, func(tx *Tx) { write(t, tx.File("more/file"), "x") }},
		"a pipe for an output": {true, func(tx *Tx) { must(t, syscall.Mkfifo(tx.Output("a", "txt"), 0o666)) }},
		"an output not placed": {true, func(tx *Tx) { write(t, tx.Output("a", "txt"), "") }},
		"tmp removed":          {false, func(tx *Tx) { must(t, os.RemoveAll(tx.File("tmp"))) }},
		"a queue of another's": {false, func(tx *Tx) { chown(t, tx.File("a")) }},
		"another's stderr":     {true, func(tx *Tx) { chown(t, tx.File("stderr")) }},
		"a stderr linked":      {true, func(tx *Tx) { must(t, os.Link(tx.File("stderr"), tx.dir.Path("elsewhere"))) }},
		"tmp open to all":      {false, func(tx *Tx) { must(t, os.Chmod(tx.File("tmp"), 0o777|fs.ModeSticky)) }},
		"a queue closed":       {false, func(tx *Tx) { must(t, os.Chmod(tx.File("a"), 0o500)) }},
		"a link for a queue": {false, func(tx *Tx) {
			must(t, os.Remove(tx.File("a")))
			must(t, os.Symlink(tx.dir.Path("work"), tx.File("a")))
		}},
		"a file for the state": {false, func(tx *Tx) {
			must(t, os.RemoveAll(tx.File("state/seen")))
			write(t, tx.File("state/seen"), "x")
		}},
		"many files": {false, func(tx *Tx) {
			for i := range 400 {
				must(t, os.Link(tx.File("run"), tx.File("tmp/"+strings.Repeat("long", 60)+txlog.TxDir(uint64(i)))))
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := born(t, t.TempDir())
			first := asRun(t, begun(t, d, 1), func(*Tx) {})
			if spare, err := first.Strip(); !spare || err != nil {
				t.Fatalf("the first time: spare %v, %v", spare, err)
			}
			tx, err := first.HandOn(2)
			must(t, err)
			asRun(t, tx, c.more)
			if tmp, err := os.Lstat(tx.File("tmp")); name == "many files" && err == nil && tmp.Size() <= longDir {
				t.Skip("here a directory with many files is not long")
			}
			spare, err := tx.Strip()
			if err != nil || spare != c.spare || exists(tx.Path) != c.spare {
				t.Fatalf("spare %v, %v; there %v; want %v", spare, err, exists(tx.Path), c.spare)
			}
			if !spare {
				return
			}
			next, err := tx.HandOn(7)
			must(t, err)
			for _, tx := range []*Tx{next, begun(t, d, 8)} {
				stderr, err := tx.Stderr()
				must(t, err)
				_, err = stderr.WriteString("woe\n")
				must(t, errors.Join(err, stderr.Close()))
			}
			if text, err := os.ReadFile(d.Path("elsewhere")); err == nil && len(text) > 0 {
				t.Errorf("what the next run says is also elsewhere: %q", text)
			}
			if got, want := below(t, d.Path("work/000000000007")), below(t, d.Path("work/000000000008")); !slices.Equal(got, want) {
				t.Errorf("it is handed on as\n%q, a new one is\n%q", got, want)
			}
			if next.Number != 7 || next.Path != d.Path("work/000000000007") || exists(tx.Path) {
				t.Errorf("it is %d at %s; the old one is there: %v", next.Number, next.Path, exists(tx.Path))
			}
		})
	}
}

// The run file goes first, for who looks at the directory meanwhile.
func TestStripBeginsWithTheRunFile(t *testing.T) {
	d, _ := born(t, t.TempDir())
	tx := asRun(t, begun(t, d, 1), func(*Tx) {})
	first := &firstRemoved{}
	d.Disk = first
	if spare, err := tx.Strip(); !spare || err != nil || first.path != tx.File("run") {
		t.Errorf("%v, %v; it begins with %s", spare, err, first.path)
	}
}

// firstRemoved keeps the first path that was removed.
type firstRemoved struct {
	txlog.OS
	path string
}

func (d *firstRemoved) Remove(path string) error {
	if d.path == "" {
		d.path = path
	}
	return d.OS.Remove(path)
}

// Where a name is taken the spare stays what it is, for whoever tries again.
func TestHandOnOntoNothing(t *testing.T) {
	d, _ := born(t, t.TempDir())
	tx := asRun(t, begun(t, d, 1), func(*Tx) {})
	_, err := tx.Strip()
	must(t, err)
	must(t, os.Mkdir(d.Path("work/000000000002"), 0o777))
	if _, err := tx.HandOn(2); err == nil || !exists(tx.Path) {
		t.Errorf("%v; there: %v", err, exists(tx.Path))
	}
	if next, err := tx.HandOn(3); err != nil || next.Number != 3 || tx.Number != 1 {
		t.Errorf("%+v, %v", next, err)
	}
}

// After a power cut a directory may have been handed on, and an output still be in it: it
// is found there, by those who read as well, and put in its place. The run file of the
// earlier run, if that is back, is not taken for the later one's.
func TestFoundWhereHandedOn(t *testing.T) {
	d, log := born(t, t.TempDir())
	batch, export := txlog.Name("a/m-000000000001-00001.txt"), txlog.Name("a/m-000000000001-00002.txt")
	must(t, log.Append(&txlog.Commit{Tx: 1, Stage: "one", Read: -1, Outputs: []txlog.Output{{Name: batch, Size: 4}, {Name: export, Size: 3, Export: true}}}))
	for _, tx := range []uint64{2, 4} {
		write(t, d.Path("work/"+txlog.TxDir(tx)+"/run"), "tx 000000000001\nstage one\nin "+string(batch)+"\n")
	}
	write(t, d.Path("work/000000000004/"+string(batch)), "four")
	write(t, d.Path("work/000000000002/"+string(export)), "far")
	if at, err := Where(d.Root, batch); err != nil || at != d.Path("work/000000000004/"+string(batch)) {
		t.Errorf("it is seen at %s, %v", at, err)
	}
	rec := recovered(t, d)
	if len(rec.Missing) > 0 || len(rec.Place) != 2 || len(rec.RollBack) > 0 || len(rec.Leftover) != 2 {
		t.Errorf("missing %v, to be placed %v, roll back %v, leftover %v", rec.Missing, rec.Place, rec.RollBack, rec.Leftover)
	}
	for name, want := range map[txlog.Name]string{batch: "four", export: "far"} {
		if text, err := os.ReadFile(d.Path(string(name))); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if works, err := d.works(); err != nil || len(works) > 0 {
		t.Errorf("in work/ there are %v, %v", works, err)
	}
}
