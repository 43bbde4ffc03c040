package crash

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"multitext/txlog"
)

// Environment variables that tell a program whose Disk is FromEnv what to record.
const (
	// TraceFile is the file that every change is appended to; without it nothing
	// is recorded and the program is an ordinary one.
	TraceFile = "MULTITEXT_TRACE"
	// TraceFail is the number, from 1, of the write or sync of the log that fails
	// with EIO: a write after half of its bytes, a sync with all that it was to
	// make durable lost, as ext4, XFS and Btrfs lose it.
	TraceFail = "MULTITEXT_TRACE_FAIL"
)

// An Op is one change of the file system, as it stands in a trace: a JSON object
// a line.
type Op struct {
	Kind string `json:"op"`
	Path string `json:"path"`
	To   string `json:"to,omitempty"`   // of a rename or link
	Data []byte `json:"data,omitempty"` // of a write, and of a file that was found
}

// Kinds of Op.
const (
	Mkdir  = "mkdir"
	Create = "create"
	Write  = "write"
	Sync   = "sync" // of a file's content or a directory's entries
	Rename = "rename"
	Link   = "link"
	Remove = "remove"
	Found  = "found"  // a file that somebody else wrote, at its first mention
	Folder = "folder" // a directory that a stage made, at its first mention
	Lose   = "lose"   // a sync that failed
)

// A Recorder is a Disk that appends each change, once it is done, to a trace. It
// makes one at a time, so that the order of the trace is the order on the disk.
type Recorder struct {
	real   txlog.OS
	failAt int

	mu    sync.Mutex
	trace *os.File
	known map[string]bool // paths that this process made or has found
	n     int             // writes and syncs of the log
}

func recorderFromEnv(path string) *Recorder {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		panic(err)
	}
	failAt, _ := strconv.Atoi(os.Getenv(TraceFail))
	return &Recorder{trace: f, known: map[string]bool{}, failAt: failAt}
}

// note appends an operation to the trace; without a trace nothing is tested.
func (r *Recorder) note(op Op) {
	raw, err := json.Marshal(op)
	if err == nil {
		_, err = r.trace.Write(append(raw, '\n'))
	}
	if err != nil {
		panic(fmt.Errorf("write the trace: %w", err))
	}
}

// meet notes a file that is mentioned for the first time and that a stage, or an
// earlier process, has written; before it the directories that a stage has made.
func (r *Recorder) meet(path string) {
	info, err := os.Lstat(path)
	if r.known[path] || err != nil {
		return
	}
	work := workOf(path)
	if up := filepath.Dir(path); work != "" && path != work && up != work {
		r.meet(up)
	}
	if info.IsDir() && (work == "" || path == work) {
		return
	}
	r.known[path] = true
	if info.IsDir() {
		r.note(Op{Kind: Folder, Path: path})
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	r.note(Op{Kind: Found, Path: path, Data: text})
}

// Mkdir implements txlog.Disk.
func (r *Recorder) Mkdir(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := os.Mkdir(path, 0o777)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err == nil {
		r.known[path] = true
		r.note(Op{Kind: Mkdir, Path: path})
	}
	return err
}

// Create implements txlog.Disk.
func (r *Recorder) Create(path string) (txlog.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, err := r.real.Create(path)
	if err != nil {
		return nil, err
	}
	r.known[path] = true
	r.note(Op{Kind: Create, Path: path})
	return &recorded{f, r, path}, nil
}

// Append implements txlog.Disk.
func (r *Recorder) Append(path string) (txlog.File, error) {
	f, err := r.real.Append(path)
	if err != nil {
		return nil, err
	}
	return &recorded{f, r, path}, nil
}

// Rename implements txlog.Disk.
func (r *Recorder) Rename(from, to string) error {
	return r.rename(from, to, r.real.Rename)
}

func (r *Recorder) rename(from, to string, rename func(from, to string) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.meet(from)
	if err := rename(from, to); err != nil {
		return err
	}
	for path := range r.known {
		if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == '/') {
			delete(r.known, path)
			r.known[to+rest] = true
		}
	}
	r.note(Op{Kind: Rename, Path: from, To: to})
	return nil
}

// Link implements txlog.Disk.
func (r *Recorder) Link(from, to string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.meet(from)
	if err := r.real.Link(from, to); err != nil {
		return err
	}
	r.known[to] = true
	r.note(Op{Kind: Link, Path: from, To: to})
	return nil
}

// Remove implements txlog.Disk.
func (r *Recorder) Remove(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.meet(path)
	if _, err := os.Lstat(path); err != nil {
		return r.real.Remove(path)
	}
	if err := r.real.Remove(path); err != nil {
		return err
	}
	delete(r.known, path)
	r.note(Op{Kind: Remove, Path: path})
	return nil
}

// Replace implements txlog.Disk by the same steps as the real one.
func (r *Recorder) Replace(path string, content func(io.Writer) error) error {
	rename := func(from, to string) error { return r.rename(from, to, os.Rename) }
	return replace(r, rename, path, content)
}

// Sync implements txlog.Disk.
func (r *Recorder) Sync(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.meet(path)
	if err := r.real.Sync(path); err != nil {
		return err
	}
	r.note(Op{Kind: Sync, Path: path})
	return nil
}

// fails reports whether this write or sync of the log is the one to fail.
func (r *Recorder) fails(path string) bool {
	if filepath.Base(path) != txlog.LogFile {
		return false
	}
	r.n++
	return r.n == r.failAt
}

// recorded is a file open for writing.
type recorded struct {
	txlog.File
	r    *Recorder
	path string
}

func (f *recorded) Write(p []byte) (int, error) {
	f.r.mu.Lock()
	defer f.r.mu.Unlock()
	failure := error(nil)
	if f.r.fails(f.path) {
		p, failure = p[:len(p)/2], syscall.EIO
	}
	n, err := f.File.Write(p)
	f.r.note(Op{Kind: Write, Path: f.path, Data: p[:n]})
	return n, errors.Join(err, failure)
}

func (f *recorded) Sync() error {
	f.r.mu.Lock()
	defer f.r.mu.Unlock()
	if f.r.fails(f.path) {
		f.r.note(Op{Kind: Lose, Path: f.path})
		return syscall.EIO
	}
	if err := f.File.Sync(); err != nil {
		return err
	}
	f.r.note(Op{Kind: Sync, Path: f.path})
	return nil
}
