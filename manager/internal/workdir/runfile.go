package workdir

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"multitext/txlog"
)

// A RunFile is what work/T/run says of a transaction under way, for status,
// recovery and the people who look. Nothing is decided by it but which words
// are printed.
type RunFile struct {
	Stage   string
	Inputs  []txlog.Name
	Command []string
	Start   time.Time
	Pid     int
}

// WriteRun leaves work/T/run before the start.
func (tx *Tx) WriteRun(r RunFile, epoch string) error {
	var b strings.Builder
	line := func(key, value string) { b.WriteString(key + " " + strings.ReplaceAll(value, "\n", " ") + "\n") }
	line("stage", r.Stage)
	line("epoch", epoch)
	line("start", r.Start.UTC().Format(time.RFC3339Nano))
	for _, name := range r.Inputs {
		line("in", string(name))
	}
	for _, word := range r.Command {
		line("word", word)
	}
	return tx.dir.Write(tx.File("run"), []byte(b.String()))
}

// AddPid adds the process, known only after the start, to work/T/run.
func (tx *Tx) AddPid(pid int) error {
	f, err := tx.dir.Disk.Append(tx.File("run"))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write([]byte("pid " + strconv.Itoa(pid) + "\n"))
	return err
}

// ReadRun reads work/T/run; ok is false where there is none.
func ReadRun(root string, tx uint64) (r RunFile, ok bool) {
	text, err := os.ReadFile(filepath.Join(root, workDir, txlog.TxDir(tx), "run"))
	if err != nil {
		return r, false
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "stage":
			r.Stage = value
		case "start":
			r.Start, _ = time.Parse(time.RFC3339Nano, value)
		case "in":
			r.Inputs = append(r.Inputs, txlog.Name(value))
		case "word":
			r.Command = append(r.Command, value)
		case "pid":
			r.Pid, _ = strconv.Atoi(value)
		}
	}
	return r, true
}

// Runs are the transactions that have a directory under work/, by number.
func Runs(root string) map[uint64]RunFile {
	out := map[uint64]RunFile{}
	entries, _ := os.ReadDir(filepath.Join(root, workDir))
	for _, e := range entries {
		tx, err := strconv.ParseUint(e.Name(), 10, 64)
		if err != nil {
			continue
		}
		if r, ok := ReadRun(root, tx); ok {
			out[tx] = r
		}
	}
	return out
}
