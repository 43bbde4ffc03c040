package crash

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// TraceFile is the environment variable with the path of the trace, to which every change is
// appended.
const TraceFile = "MULTITEXT_TRACE"

// An Op is one change of the file system in a trace. A trace contains a JSON object on each line.
type Op struct {
	Kind string `json:"op"`
	Path string `json:"path"`
	To   string `json:"to,omitempty"`   // of a rename or link
	Data []byte `json:"data,omitempty"` // of a write, or of a file that was found
}

// Kinds of Op.
const (
	Mkdir  = "mkdir"
	Create = "create"
	Write  = "write"
	Fsync  = "fsync" // of a file that is open for writing
	Sync   = "sync"  // of a file's content or a directory's entries, which is opened for it
	Rename = "rename"
	Link   = "link"
	Remove = "remove"
	Found  = "found"  // a file that another program wrote, when it is first mentioned
	Folder = "folder" // a directory that a stage created, when it is first mentioned
	Lose   = "lose"   // an fsync that failed

	open = "open" // no change, but it may fail
)

// A recorder appends each change to a trace, after the change was made.
type recorder struct {
	file  *os.File
	known map[string]bool // paths that this process has created or found
}

func newRecorder(path string) *recorder {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		panic(err)
	}
	return &recorder{file: f, known: map[string]bool{}}
}

// note appends an operation to the trace. If it fails, the process ends, because without a trace
// nothing is tested.
func (r *recorder) note(op *Op) {
	raw, err := json.Marshal(op)
	if err == nil {
		_, err = r.file.Write(append(raw, '\n'))
	}
	if err != nil {
		panic(fmt.Errorf("write the trace: %w", err))
	}
	switch op.Kind {
	case Mkdir, Create, Found, Folder:
		r.known[op.Path] = true
	case Link:
		r.known[op.To] = true
	case Remove:
		delete(r.known, op.Path)
	case Rename:
		for path := range r.known {
			if rest, ok := strings.CutPrefix(path, op.Path); ok && (rest == "" || rest[0] == '/') {
				delete(r.known, path)
				r.known[op.To+rest] = true
			}
		}
	}
}

// meet records a file that is mentioned for the first time and that a stage or an earlier process
// has written. Before the file it records the directories that a stage has created. A file that is
// open for writing is known already.
func (r *recorder) meet(op *Op) {
	if op.Kind != Write && op.Kind != Fsync {
		r.find(op.Path)
	}
}

func (r *recorder) find(path string) {
	info, err := os.Lstat(path)
	if r.known[path] || err != nil {
		return
	}
	work := workOf(path)
	if up := filepath.Dir(path); work != "" && path != work && up != work {
		r.find(up)
	}
	if info.IsDir() && (work == "" || path == work) {
		return
	}
	if info.IsDir() {
		r.note(&Op{Kind: Folder, Path: path})
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	r.note(&Op{Kind: Found, Path: path, Data: text})
}
