// Package judge decides whether a run that ended well may commit: whether the
// files it left are those it was told to write, and agree with its report.
package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"multitext/manager/internal/report"
	"multitext/txlog"
)

// A Case is what a run was given and what it might leave.
type Case struct {
	Tx      uint64
	Work    string            // absolute path of work/T
	Folder  string            // where the stage ran; relative paths in its report start here
	Report  string            // path of the report; it may not be there
	Reports bool              // its command names {report}: without one it has not come to its end
	Inputs  []txlog.Input     // with the records they were committed with
	Queues  map[string]string // queue to the extension of its batches
	Exports map[string]bool   // queues that are for other machines
	State   string            // the state it may write, "" none
	Segment string            // directory of the state's segments, relative
	Have    []txlog.Name      // committed segments of the state, oldest first
	Root    string            // absolute path of the crawl's directory
}

// A Verdict is what the commit will say of the run's files and numbers.
type Verdict struct {
	Read     int64
	Outputs  []txlog.Output
	Segments []txlog.Output
	Replaced []txlog.Name
	Reasons  []txlog.Count
	Counts   []txlog.Count
	Because  []txlog.Because
	Notes    []string
	Files    []txlog.Name // all that must be made durable

	// Misnamed tells by queue that what the run made is compressed otherwise than its name says. Of
	// what comes with a hash nobody has read the bytes.
	Misnamed map[string]string
}

// maxFiles bounds the files of one run: its commit is one line of the log.
const maxFiles = 10_000

// anyExt is the extension of the files in a folder of an exported queue: who fetches
// them finds there what the queue's batches are and more.
const anyExt = "EXT"

// Judge looks at the files and the report. An error is a failure of the run:
// it says which file or number does not agree.
func Judge(c *Case) (*Verdict, error) {
	rep, err := report.Load(c.Report)
	if err != nil {
		return nil, err
	}
	if rep == nil && c.Reports {
		return nil, errors.New("it ended with 0 and left no report, though its command names {report}")
	}
	if rep == nil {
		rep = &report.Report{In: -1}
	}
	found, err := c.find()
	if err != nil {
		return nil, err
	}
	v := &Verdict{Read: rep.In, Reasons: rep.Reasons, Counts: rep.Counts, Because: rep.Because, Notes: rep.Notes}
	for _, step := range []func(*Verdict, *report.Report, map[string]file) error{
		c.accounts, c.reported, c.unreported, c.due, c.segments,
	} {
		if err := step(v, rep, found); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// A file is one that the run left.
type file struct {
	name txlog.Name
	size int64
}

// find lists the non-empty files in the directories of the outputs. A name that
// was not the run's to give is an error.
func (c *Case) find() (map[string]file, error) {
	found := map[string]file{}
	for queue, ext := range c.Queues {
		if err := c.list(found, queue, ext, c.Exports[queue]); err != nil {
			return nil, err
		}
	}
	if c.State != "" {
		if err := c.list(found, c.Segment, "seg", false); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// list adds the files of one directory, and where it may have folders those of them.
func (c *Case) list(found map[string]file, dir, ext string, folders bool) error {
	entries, err := os.ReadDir(filepath.Join(c.Work, dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if folders && e.IsDir() && txlog.IsFolder(e.Name()) {
			if err := c.list(found, dir+"/"+e.Name(), anyExt, false); err != nil {
				return err
			}
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			continue
		}
		if err != nil {
			return err
		}
		tx, _, got, ok := txlog.ParseFileName(e.Name())
		hidden := strings.HasPrefix(e.Name(), ".") // as of a file that was to be renamed when whole
		if !ok || hidden || tx != c.Tx || got != ext && ext != anyExt || !info.Mode().IsRegular() {
			return fmt.Errorf("it left %s/%q; outputs are files named NAME-%s-NNNNN.%s", dir, e.Name(), txlog.TxDir(c.Tx), ext)
		}
		if len(found) == maxFiles {
			return fmt.Errorf("it left more than %d files", maxFiles)
		}
		found[filepath.Join(c.Work, dir, e.Name())] = file{txlog.Name(dir + "/" + e.Name()), info.Size()}
	}
	return nil
}
