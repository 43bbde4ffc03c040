package workdir

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"multitext/txlog"
)

// A RunFile is the content of work/T/run about a transaction in progress, for status, recovery and
// people. It influences only what is printed. It is JSON: one object is written before the start,
// and one with the process after it.
type RunFile struct {
	Stage   string       `json:"stage,omitzero"`
	Epoch   string       `json:"epoch,omitzero"`
	Inputs  []txlog.Name `json:"inputs,omitzero"`
	Command []string     `json:"command,omitzero"`
	Start   time.Time    `json:"start,omitzero"`
	Pid     int          `json:"pid,omitzero"`
}

func (r RunFile) line() []byte {
	line, _ := json.Marshal(r) // strings and numbers always marshal
	return append(line, '\n')
}

// WriteRun writes work/T/run before the start.
func (tx *Tx) WriteRun(r RunFile) error { return tx.dir.Write(tx.File("run"), r.line()) }

// AddPid adds the process to work/T/run.
func (tx *Tx) AddPid(pid int) error {
	f, err := tx.dir.Disk.Append(tx.File("run"))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(RunFile{Pid: pid}.line())
	return err
}

// ReadRun reads work/T/run, as far as it was written. ok is false if there is none.
func ReadRun(root string, tx uint64) (r RunFile, ok bool) {
	text, err := os.ReadFile(filepath.Join(root, workDir, txlog.TxDir(tx), "run"))
	if err != nil {
		return r, false
	}
	for in := json.NewDecoder(bytes.NewReader(text)); err == nil; {
		err = in.Decode(&r)
	}
	return r, true
}

// Runs returns the transactions that have a directory under work/, sorted by number.
func Runs(root string) map[uint64]RunFile {
	out := map[uint64]RunFile{}
	works, _ := (&Dir{Root: root}).works()
	for _, tx := range works {
		if r, ok := ReadRun(root, tx); ok {
			out[tx] = r
		}
	}
	return out
}
