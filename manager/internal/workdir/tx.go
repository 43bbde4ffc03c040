package workdir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"multitext/txlog"
)

// A Tx is the private directory of a transaction in progress.
type Tx struct {
	Number uint64
	Path   string
	dir    *Dir
}

// Begin creates work/T, with a directory for each queue and for the state (or "") that the run may
// write to. Nothing of it is durable yet, so a power failure rolls the run back.
func (d *Dir) Begin(number uint64, queues []string, state string) (*Tx, error) {
	tx := &Tx{Number: number, Path: filepath.Join(d.Root, workDir, txlog.TxDir(number)), dir: d}
	dirs := append([]string{"", "tmp"}, queues...)
	if state != "" {
		dirs = append(dirs, stateDir, SegmentDir(state))
	}
	for _, name := range dirs {
		if err := d.Disk.Mkdir(filepath.Join(tx.Path, name)); err != nil {
			return nil, err
		}
	}
	return tx, nil
}

// Output returns the path of the first part of an output of a queue.
func (tx *Tx) Output(queue, ext string) string {
	return filepath.Join(tx.Path, queue, txlog.FileName("m", tx.Number, 1, ext))
}

// Segment returns the path of the new segment of a state.
func (tx *Tx) Segment(state string) string { return tx.Output(SegmentDir(state), "seg") }

// File returns the path of a file of the run: run, report, stderr, tmp.
func (tx *Tx) File(name string) string { return filepath.Join(tx.Path, name) }

// List writes the segments of a state to a list, one path a line, and returns the path of the list.
// name distinguishes the lists of a run.
func (tx *Tx) List(name string, segments []txlog.Output) (string, error) {
	var text bytes.Buffer
	for _, s := range segments {
		fmt.Fprintln(&text, tx.dir.Path(string(s.Name)))
	}
	dir := filepath.Join(tx.Path, stateDir)
	if err := tx.dir.Disk.Mkdir(dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name+".list")
	return path, tx.dir.Write(path, text.Bytes())
}

// Stderr creates the file for the program's stderr and opens it. Like all outputs, the program
// writes it without the Disk.
func (tx *Tx) Stderr() (*os.File, error) {
	path := tx.File("stderr")
	if err := tx.dir.Write(path, nil); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
}

// Write creates a file that need not be durable.
func (d *Dir) Write(path string, text []byte) error {
	f, err := d.Disk.Create(path)
	if err != nil {
		return err
	}
	if len(text) > 0 {
		_, err = f.Write(text)
	}
	return errors.Join(err, f.Close())
}

// Seal makes the outputs durable: each file, then the directories above it, up to work/. It first
// removes the write permission of all files. So the first sync writes the new modes of all files,
// and Seal need not wait for the file system's journal once per file. An *Unmovable error is the
// run's fault.
func (tx *Tx) Seal(names []txlog.Name) error {
	disk := tx.dir.Disk
	if err := tx.sound(names); err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Chmod(filepath.Join(tx.Path, string(name)), 0o444); err != nil {
			return err
		}
	}
	for _, name := range names {
		path := filepath.Join(tx.Path, string(name))
		//failpoint:outputs-not-synced continue
		if err := disk.Sync(path); err != nil {
			return err
		}
	}
	for _, dir := range tx.withOutputs(names) {
		//failpoint:output-directories-not-synced break
		if err := disk.Sync(filepath.Join(tx.Path, dir)); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return nil
	}
	//failpoint:work-not-synced return nil
	return disk.Sync(filepath.Dir(tx.Path))
}

// withOutputs returns the directories on the way to the names, each once.
func (tx *Tx) withOutputs(names []txlog.Name) []string {
	var out []string
	seen := map[string]bool{}
	for _, name := range names {
		for dir := name.Dir(); !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			out = append(out, dir)
		}
	}
	return out
}

// Place renames a committed output into its queue, or into a folder of the queue. Another machine
// may remove an empty folder at any time; Place then creates it again. Place does not replace
// another file with the output's name, which another machine may have put into an exported queue.
// It returns an error that names the file; the crawl can continue when the file is gone.
func (d *Dir) Place(name txlog.Name) error {
	from, to := d.unplaced(name), d.Path(string(name))
	if name.Dir() == name.Queue() || name.Queue() == stateDir {
		return d.Disk.Rename(from, to)
	}
	var err error
	for range 2 {
		if err = d.layFolder(name.Dir()); err != nil {
			return err
		}
		if err = d.Disk.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// unplaced returns the path of a committed output before it is moved.
func (d *Dir) unplaced(name txlog.Name) string {
	return filepath.Join(d.Root, workDir, txlog.TxDir(name.Tx()), string(name))
}

// Remove removes a file that is not live any more.
func (d *Dir) Remove(name txlog.Name) error { return d.Disk.Remove(d.Path(string(name))) }

// Clear removes work/T of a run whose end is in the log. It removes the run file first, because a
// directory that has one belongs to an interrupted run.
func (d *Dir) Clear(tx uint64) error {
	if err := d.Empty(tx); err != nil {
		return err
	}
	return d.Leave(d.Disk.Remove(filepath.Join(d.Root, workDir, txlog.TxDir(tx))))
}

// Empty removes everything in work/T, the run file first. The directory itself stays, so that the
// number is not used again before the log records it.
func (d *Dir) Empty(tx uint64) error {
	path := filepath.Join(d.Root, workDir, txlog.TxDir(tx))
	if err := d.Disk.Remove(filepath.Join(path, "run")); err != nil && !stays(err) { // it may be a directory
		return err
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.Leave(d.removeEntries(path, entries))
}

// Tail returns the end of a file, at most n bytes, from the beginning of a line if possible. If a
// stage has put a pipe in the file's place, Tail returns at once.
func Tail(path string, n int64) string {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	cut := info.Size() > n
	if cut {
		f.Seek(-n, io.SeekEnd)
	}
	text, err := io.ReadAll(io.LimitReader(f, n))
	if err != nil {
		return ""
	}
	if i := bytes.IndexByte(text, '\n'); cut && i >= 0 && i+1 < len(text) {
		text = text[i+1:]
	}
	return strings.TrimRight(string(text), "\n")
}
