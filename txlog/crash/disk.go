// Package crash holds what tests need to end a crawl at the worst instant.
//
// A Disk kills its own process at the N-th change of the file system, or lets
// that change fail (fault.go). A Recorder writes a trace of all changes
// (record.go), from which a Model makes the states that a power cut may leave
// (power.go, cut.go): a test puts one into a folder, starts from there, and needs neither
// root nor a disk of its own.
//
// BuildFaulty builds programs for such tests: the manager has one of these Disks, by the tag
// crash, and the failpoints in the source of all programs are code (package failpoint). What
// goes wrong the environment says. No product links this package.
package crash

import (
	"io"
	"os"

	"multitext/txlog"
)

// A Disk counts every change it makes, each system call of the mutating kind
// as one, and meets with its fault before the one that is due.
type Disk struct {
	real txlog.OS
	*fault
}

// FromEnv is the Disk that the environment asks for: a Recorder, or one that meets with a
// fault, if any.
func FromEnv() txlog.Disk {
	if trace := os.Getenv(TraceFile); trace != "" {
		return recorderFromEnv(trace)
	}
	return &Disk{fault: faultFromEnv()}
}

// Mkdir implements txlog.Disk.
func (d *Disk) Mkdir(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := d.step("mkdir", path); err != nil {
		return err
	}
	return d.real.Mkdir(path)
}

// Create implements txlog.Disk.
func (d *Disk) Create(path string) (txlog.File, error) {
	if err := d.step("create", path); err != nil {
		return nil, err
	}
	f, err := d.real.Create(path)
	return file{f, d, path}, err
}

// Append implements txlog.Disk.
func (d *Disk) Append(path string) (txlog.File, error) {
	if err := d.step("open", path); err != nil {
		return nil, err
	}
	f, err := d.real.Append(path)
	return file{f, d, path}, err
}

// Rename implements txlog.Disk.
func (d *Disk) Rename(from, to string) error {
	if err := d.step("rename", to); err != nil {
		return err
	}
	return d.real.Rename(from, to)
}

// Link implements txlog.Disk.
func (d *Disk) Link(from, to string) error {
	if err := d.step("link", to); err != nil {
		return err
	}
	return d.real.Link(from, to)
}

// Remove implements txlog.Disk.
func (d *Disk) Remove(path string) error {
	if err := d.step("remove", path); err != nil {
		return err
	}
	return d.real.Remove(path)
}

// Replace implements txlog.Disk by the same steps as the real one, each of which
// counts; like that one it takes its temporary file away when a step fails.
func (d *Disk) Replace(path string, content func(io.Writer) error) error {
	rename := func(from, to string) error {
		if err := d.step("replace", to); err != nil {
			return err
		}
		return os.Rename(from, to)
	}
	return replace(d, rename, path, content)
}

// Sync implements txlog.Disk.
func (d *Disk) Sync(path string) error {
	if err := d.step("sync", path); err != nil {
		return err
	}
	return d.real.Sync(path)
}

type file struct {
	txlog.File
	disk *Disk
	path string
}

// Write leaves half of what it was given when it fails, as a full disk does.
func (f file) Write(p []byte) (int, error) {
	if err := f.disk.step("write", f.path); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

func (f file) Sync() error {
	if err := f.disk.step("fsync", f.path); err != nil {
		return err
	}
	return f.File.Sync()
}
