package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/txlog"
)

// A History prints the transactions that have ended.
type History struct {
	Root  string
	Stage string // only transactions of this stage; "" means all
	JSON  bool
	Out   io.Writer
	Warn  func(string)

	pos  txlog.Position
	seen os.FileInfo // the log file when it was last read
}

// Head prints the names of the columns.
func (h *History) Head() {
	if !h.JSON {
		fmt.Fprintln(h.Out, strings.Join([]string{"tx", "result", "stage", "start", "wall", "cpu", "memory", "exit",
			"inputs", "read", "outputs", "records", "bytes", "what"}, "\t"))
	}
}

// More prints the transactions that were added since the last call. It reads the log only if the
// file has changed.
func (h *History) More() error {
	info, err := os.Stat(filepath.Join(h.Root, txlog.LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if h.seen != nil && os.SameFile(info, h.seen) && info.Size() == h.seen.Size() {
		return nil
	}
	h.seen = info
	pos, err := txlog.History(h.Root, h.pos, h.record, func(generation uint64) {
		h.Warn(fmt.Sprintf("generation %d of the log ends within a line: "+
			"it was being written when its manager ended, so it does not count", generation))
	})
	if err == nil {
		h.pos = pos
	}
	return err
}

func (h *History) record(r txlog.Record) error {
	t := FromRecord(r)
	if h.Stage != "" && h.Stage != t.Stage {
		return nil
	}
	if h.JSON {
		return json.NewEncoder(h.Out).Encode(t)
	}
	_, err := fmt.Fprintln(h.Out, strings.Join(t.row(), "\t"))
	return err
}

// row returns the cells of a transaction, without tabs and line ends.
func (t *Transaction) row() []string {
	records, bytes := new(int64), int64(0)
	for _, o := range t.Outputs {
		if bytes += o.Bytes; o.Records == nil {
			records = nil // a sum is unknown if one of its terms is unknown
		} else if records != nil {
			*records += *o.Records
		}
	}
	start := ""
	if !t.Start.IsZero() {
		start = t.Start.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	row := []string{strconv.FormatUint(t.Tx, 10), t.Result, t.Stage, start, seconds(t.End.Sub(t.Start)),
		seconds(time.Duration(t.CPU * float64(time.Second))), strconv.FormatInt(t.Memory, 10), t.Exit,
		strconv.Itoa(len(t.Inputs)), figure.Known(t.Read),
		strconv.Itoa(len(t.Outputs)), figure.Known(records), strconv.FormatInt(bytes, 10), t.What}
	for i, cell := range row {
		if row[i] = terminal.Printable(cell); cell == "" {
			row[i] = "-"
		}
	}
	return row
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
