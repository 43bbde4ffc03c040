// Package crash holds what tests need to end a crawl at the worst instant: a
// Disk that kills its own process at the N-th change of the file system, and
// builds of the repository's programs with such a Disk, or with a defect, put
// into their source (build.go). No product links it.
package crash

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"

	"multitext/txlog"
)

// Environment variables that tell a program built with FromEnv what to do.
const (
	// KillAt is the number, from 1, of the change before which the process
	// kills itself; 0 or nothing: never.
	KillAt = "MULTITEXT_KILL_AT"
	// KillMark is a file that is made just before, to prove that it happened.
	KillMark = "MULTITEXT_KILL_MARK"
)

// A Disk counts every change it makes, each system call of the mutating kind
// as one, and kills the process before the one that is due.
type Disk struct {
	real txlog.OS
	at   int64
	mark string
	n    atomic.Int64
}

// FromEnv is the Disk that the environment asks for.
func FromEnv() *Disk {
	at, _ := strconv.ParseInt(os.Getenv(KillAt), 10, 64)
	return &Disk{at: at, mark: os.Getenv(KillMark)}
}

// step is called before every change.
func (d *Disk) step(op, path string) {
	if d.n.Add(1) != d.at {
		return
	}
	os.WriteFile(d.mark, []byte(op+" "+path+"\n"), 0o666)
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}

// Mkdir implements txlog.Disk.
func (d *Disk) Mkdir(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	d.step("mkdir", path)
	return d.real.Mkdir(path)
}

// Create implements txlog.Disk.
func (d *Disk) Create(path string) (txlog.File, error) {
	d.step("create", path)
	f, err := d.real.Create(path)
	return file{f, d, path}, err
}

// Append implements txlog.Disk.
func (d *Disk) Append(path string) (txlog.File, error) {
	f, err := d.real.Append(path)
	return file{f, d, path}, err
}

// Rename implements txlog.Disk.
func (d *Disk) Rename(from, to string) error {
	d.step("rename", to)
	return d.real.Rename(from, to)
}

// Remove implements txlog.Disk.
func (d *Disk) Remove(path string) error {
	d.step("remove", path)
	return d.real.Remove(path)
}

// Replace implements txlog.Disk by the same steps as the real one, each of which
// counts.
func (d *Disk) Replace(path string, content func(io.Writer) error) error {
	var text bytes.Buffer
	if err := content(&text); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s%d", filepath.Base(path), os.Getpid()))
	f, err := d.Create(temp)
	if err != nil {
		return err
	}
	if _, err := f.Write(text.Bytes()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	d.step("replace", path)
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return d.Sync(filepath.Dir(path))
}

// Sync implements txlog.Disk.
func (d *Disk) Sync(path string) error {
	d.step("sync", path)
	return d.real.Sync(path)
}

type file struct {
	txlog.File
	disk *Disk
	path string
}

func (f file) Write(p []byte) (int, error) {
	f.disk.step("write", f.path)
	return f.File.Write(p)
}

func (f file) Sync() error {
	f.disk.step("sync", f.path)
	return f.File.Sync()
}
