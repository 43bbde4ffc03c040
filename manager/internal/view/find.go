package view

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// stderrShown is the maximum number of bytes read from the stderr of a run in progress.
const stderrShown = 4 << 10

// ErrNoTransaction is what the error of Find wraps if there is no such transaction, or nothing is
// known of it any more.
var ErrNoTransaction = errors.New("no such transaction")

// An absent is an error that wraps ErrNoTransaction and says more.
type absent string

func (a absent) Error() string { return string(a) }

func (absent) Unwrap() error { return ErrNoTransaction }

// Find returns one transaction. It reads the history, or work/ if the transaction has not ended.
func (c *Crawl) Find(tx uint64) (*Transaction, error) {
	if !c.Begun {
		return nil, absent("the crawl has not begun: it has no transactions")
	}
	t, err := c.inHistory(tx)
	for _, r := range c.Runs {
		if t == nil && err == nil && r.Tx == tx {
			t, err = c.unended(r)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case t != nil:
		t.root, t.folder = c.Root, c.Script.Folder
		return t, nil
	case tx > 0 && tx < c.State.Next():
		return nil, absent(fmt.Sprintf("transaction %d has no line in the log: it was cut off and rolled back, "+
			"or its part of the history was removed", tx))
	}
	return nil, absent(fmt.Sprintf("there is no transaction %d; the next number is %d", tx, c.State.Next()))
}

var errFound = errors.New("found")

func (c *Crawl) inHistory(tx uint64) (*Transaction, error) {
	var found *Transaction
	pos, err := txlog.Seek(c.Root, tx)
	if errors.Is(err, fs.ErrNotExist) { // the manager may delete the oldest part meanwhile
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = txlog.History(c.Root, pos, func(r txlog.Record) error {
		if r.Number() != tx {
			return nil
		}
		found = FromRecord(r)
		return errFound
	}, nil)
	if errors.Is(err, errFound) || errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	return nil, err
}

// unended describes a run from the files that it has left under work/ so far.
func (c *Crawl) unended(r Run) (*Transaction, error) {
	t := &Transaction{Tx: r.Tx, Result: resultRunning, Stage: r.Stage, Start: r.Start, Command: r.Command, Pid: r.Pid,
		Inputs: []Input{}, What: "it has not ended"}
	if c.Holder == nil {
		t.Result, t.Pid, t.What = resultCutOff, 0, "its manager ended before it; the next start rolls it back"
	}
	for _, name := range r.Inputs {
		in := Input{Name: string(name)}
		if b := c.State.Batch(name); b != nil {
			in.Records = counted(b.Records)
		}
		t.Inputs = append(t.Inputs, in)
	}
	work := filepath.Join(c.Root, "work", txlog.TxDir(r.Tx))
	t.Stderr = workdir.Tail(filepath.Join(work, "stderr"), stderrShown)
	var err error
	t.Outputs, err = unsealed(work, r.Tx)
	return t, err
}

// unsealed lists the outputs of a run in progress, with their current sizes.
func unsealed(work string, tx uint64) ([]Output, error) {
	out := []Output{}
	err := filepath.WalkDir(work, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it has ended in the meantime
		}
		if err != nil {
			return err
		}
		of, _, _, ok := txlog.ParseFileName(e.Name())
		rel, _ := filepath.Rel(work, path)
		if !ok || of != tx || strings.HasPrefix(rel, "tmp") {
			return nil
		}
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			out = append(out, Output{Name: rel, Bytes: info.Size()})
		}
		return nil
	})
	slices.SortFunc(out, func(a, b Output) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}
