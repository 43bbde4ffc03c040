package crash

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ReadTrace reads what Disks have appended to a file. It makes paths relative to the folder. It
// moves a stage's own files forward to the beginning of the stage, because the stage may have
// written them at any time since.
func ReadTrace(file, folder string) ([]Op, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var trace []Op
	in := json.NewDecoder(bufio.NewReader(f))
	for {
		var op Op
		if err := in.Decode(&op); errors.Is(err, io.EOF) {
			return hoist(trace), nil
		} else if err != nil {
			return nil, fmt.Errorf("operation %d of %s: %w", len(trace)+1, file, err)
		}
		if op.Path, err = filepath.Rel(folder, op.Path); err != nil {
			return nil, err
		}
		if op.To != "" {
			if op.To, err = filepath.Rel(folder, op.To); err != nil {
				return nil, err
			}
		}
		trace = append(trace, op)
	}
}

// hoist moves each file and folder that was found below work/T to a position after the last write
// of the manager there, which belongs to the beginning of the run.
func hoist(trace []Op) []Op {
	out := make([]Op, 0, len(trace))
	for _, op := range trace {
		i := len(out)
		if work := workOf(op.Path); found(op) && work != "" {
			for i > 0 && (out[i-1].Kind != Write && !found(out[i-1]) || workOf(out[i-1].Path) != work) {
				i--
			}
			if i == 0 {
				i = len(out)
			}
		}
		out = slices.Insert(out, i, op)
	}
	return out
}

func found(op Op) bool { return op.Kind == Found || op.Kind == Folder }

// workOf returns the directory work/T of a path, or "" if the path is in none.
func workOf(path string) string {
	before, after, ok := strings.Cut(path, "/work/")
	if !ok {
		return ""
	}
	tx, _, _ := strings.Cut(after, "/")
	return before + "/work/" + tx
}
