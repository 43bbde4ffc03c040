// Package crash helps tests to end a crawl at the worst possible instant.
//
// A Disk kills its own process at the N-th change of the file system, or makes that change fail
// (fault.go). It also writes a trace of all changes (record.go). From the trace a Model creates the
// states that a power failure may leave (power.go, cut.go). A test writes such a state to a folder
// and starts from there. It needs neither root nor its own disk.
//
// BuildFaulty builds programs for such tests. The tag crash gives the manager such a Disk, and the
// failpoints in the source of all programs become code (package failpoint). The environment selects
// the faults. No released program links this package.
package crash

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"multitext/txlog"
)

// A Disk makes the changes for package txlog. Each change is a system call that modifies the file
// system. Before a change the Disk causes the fault that is due, if any. After the change it
// appends the change to the trace, if there is one.
type Disk struct {
	real  txlog.OS
	fault *fault
	mu    sync.Mutex // held during each traced change, so that the trace has the order on the disk
	trace *recorder  // nil: no trace
}

// FromEnv returns the Disk that the environment selects.
func FromEnv() *Disk {
	d := &Disk{fault: faultFromEnv()}
	if path := os.Getenv(TraceFile); path != "" {
		d.trace = newRecorder(path)
	}
	return d
}

// do makes a change. A write that must fail writes half of its bytes, as on a full disk. A sync
// that must fail loses the data that it should make durable.
func (d *Disk) do(op *Op, change func() error) error {
	if d.trace != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.trace.meet(op)
	}
	failure := d.fault.step(op.Kind, cmp.Or(op.To, op.Path))
	switch {
	case failure == nil:
	case op.Kind == Write:
		op.Data = op.Data[:len(op.Data)/2]
	case op.Kind == Fsync:
		d.note(&Op{Kind: Lose, Path: op.Path})
		return failure
	default:
		return failure
	}
	if err := change(); err != nil {
		return err
	}
	d.note(op)
	return failure
}

func (d *Disk) note(op *Op) {
	if d.trace != nil {
		d.trace.note(op)
	}
}

// Mkdir implements txlog.Disk.
func (d *Disk) Mkdir(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return d.do(&Op{Kind: Mkdir, Path: path}, func() error { return d.real.Mkdir(path) })
}

// Create implements txlog.Disk.
func (d *Disk) Create(path string) (f txlog.File, err error) {
	err = d.do(&Op{Kind: Create, Path: path}, func() error { f, err = d.real.Create(path); return err })
	return file{f, d, path}, err
}

// Append implements txlog.Disk.
func (d *Disk) Append(path string) (txlog.File, error) {
	if err := d.fault.step(open, path); err != nil {
		return nil, err
	}
	f, err := d.real.Append(path)
	return file{f, d, path}, err
}

// Rename implements txlog.Disk.
func (d *Disk) Rename(from, to string) error {
	return d.do(&Op{Kind: Rename, Path: from, To: to}, func() error { return d.real.Rename(from, to) })
}

// Link implements txlog.Disk.
func (d *Disk) Link(from, to string) error {
	return d.do(&Op{Kind: Link, Path: from, To: to}, func() error { return d.real.Link(from, to) })
}

// Remove implements txlog.Disk.
func (d *Disk) Remove(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return d.fault.step(Remove, path) // it changes nothing, but may fail
	}
	return d.do(&Op{Kind: Remove, Path: path}, func() error { return d.real.Remove(path) })
}

// Sync implements txlog.Disk.
func (d *Disk) Sync(path string) error {
	return d.do(&Op{Kind: Sync, Path: path}, func() error { return d.real.Sync(path) })
}

// Replace implements txlog.Disk with the same steps as the real one. Each step counts as a change.
// If a step fails, Replace removes its temporary file, as the real one does.
func (d *Disk) Replace(path string, content func(io.Writer) error) error {
	var text bytes.Buffer
	if err := content(&text); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s%d", filepath.Base(path), os.Getpid()))
	err := d.writeSynced(temp, text.Bytes())
	if err == nil {
		err = d.do(&Op{Kind: Rename, Path: temp, To: path}, func() error { return os.Rename(temp, path) })
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	//failpoint:replacement-not-synced return nil
	return d.Sync(filepath.Dir(path))
}

func (d *Disk) writeSynced(path string, text []byte) error {
	f, err := d.Create(path)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// A file is open for writing.
type file struct {
	txlog.File
	disk *Disk
	path string
}

func (f file) Write(p []byte) (n int, err error) {
	op := &Op{Kind: Write, Path: f.path, Data: p}
	err = f.disk.do(op, func() error { n, err = f.File.Write(op.Data); return err })
	return n, err
}

func (f file) Sync() error {
	return f.disk.do(&Op{Kind: Fsync, Path: f.path}, f.File.Sync)
}
