// Package judge decides whether a run that exited with 0 may commit. The run must have written
// only the files that it was told to write, and these must agree with its report.
//
// A report is a text file of lines. One space separates the fields of a line.
//
//	in N                           records read
//	out FILE RECORDS SIZE XXH64    a file that contains input records
//	made FILE RECORDS SIZE XXH64   a file of other records
//	reason NAME N                  N input records were dropped for this reason
//	count NAME N                   any number, to be summed over runs
//	gauge NAME N                   a number as it is after the run
//	because NAME N EXAMPLE REMEDY  N records such as EXAMPLE were dropped for this reason
//	replaces SEGMENT               the new segment replaces this one
//	later FILE TIME                this batch is due at TIME (RFC 3339)
//	latest FILE TIME               the same, or sooner, at a standstill: before any min is ignored
//	note TEXT                      a note for people
//
// In FILE, SEGMENT, TEXT, EXAMPLE and REMEDY, '%' and bytes outside 0x21 to 0x7e are written as
// %xx. NAME consists of a-z, 0-9 and '-'. Relative paths are relative to the script's folder, where
// stages run. XXH64 is the hash of the file, with seed 0, in 16 hex digits; it is "-" if the stage
// does not know it. EXAMPLE and REMEDY may be "-", too. The manager stores at most 200 bytes of an
// EXAMPLE, which is untrusted.
//
// The law: in = Σ out + Σ reasons. No record leaves the flow without a reason.
package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A Case is a run that exited with 0, and its inputs.
type Case struct {
	Tx       *workdir.Tx
	Script   *script.Script
	Stage    *script.Stage
	Inputs   []txlog.Input // with the numbers of records in their commits
	Segments []txlog.Name  // the segments that it was given, those of one state oldest first
}

// A Verdict is the commit of a run, without the data about how the run went.
type Verdict struct {
	Commit txlog.Commit
	Files  []txlog.Name // the files that must be made durable

	// Misnamed lists by queue the batches of the run whose compression does not match their names.
	// Files whose hash is in the report are not read, so they are not checked.
	Misnamed map[string]string
}

// maxFiles is the maximum number of files of one run, because its commit is one line of the log.
const maxFiles = 10_000

// anyExt is the extension of the files in a folder of an exported queue. Such a folder may contain
// other files than the queue's batches.
const anyExt = "EXT"

// A hearing is a Case with the files and the report.
type hearing struct {
	*Case
	report  *report
	found   map[string]file // by path; the files that the report names are removed
	verdict *Verdict
}

// A file is a file that the run wrote.
type file struct {
	name txlog.Name
	size int64
}

// Judge compares the files with the report. An error is a failure of the run. It names the file or
// number that does not match.
func Judge(c *Case) (*Verdict, error) {
	rep, err := load(c.Tx.File("report"))
	if err != nil {
		return nil, err
	}
	if rep == nil && c.Stage.Names("report") {
		return nil, errors.New("it exited with 0 and wrote no report, but its command names {report}")
	}
	if rep == nil {
		rep = newReport()
	}
	h := &hearing{Case: c, report: rep, found: map[string]file{}, verdict: &Verdict{Commit: rep.said}}
	rec := &h.verdict.Commit
	rec.Tx, rec.Stage, rec.Inputs = c.Tx.Number, c.Stage.Name, c.Inputs
	for _, step := range []func() error{
		h.find, rep.lawful, h.sameRecords, h.reported, h.unreported, h.due, h.segments,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return h.verdict, nil
}

// find lists the non-empty files in the directories of the outputs. It returns an error if the run
// may not use a file's name.
func (h *hearing) find() error {
	for _, name := range h.Stage.Out {
		q := h.Script.Queue(name)
		if err := h.list(name, q.Ext, q.Export); err != nil {
			return err
		}
	}
	if h.Stage.State == "" {
		return nil
	}
	return h.list(workdir.SegmentDir(h.Stage.State), "seg", false)
}

// list adds the files of one directory. If the directory may have folders, list adds their files,
// too.
func (h *hearing) list(dir, ext string, folders bool) error {
	entries, err := os.ReadDir(h.Tx.File(dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if folders && e.IsDir() && txlog.IsFolder(e.Name()) {
			if err := h.list(dir+"/"+e.Name(), anyExt, false); err != nil {
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
		hidden := strings.HasPrefix(e.Name(), ".") // for instance a temporary file that was not renamed
		if !ok || hidden || tx != h.Tx.Number || got != ext && ext != anyExt || !info.Mode().IsRegular() {
			return fmt.Errorf("it wrote %s/%q; outputs are files named NAME-%s-NNNNN.%s",
				dir, e.Name(), txlog.TxDir(h.Tx.Number), ext)
		}
		if len(h.found) == maxFiles {
			return fmt.Errorf("it wrote more than %d files", maxFiles)
		}
		name := dir + "/" + e.Name()
		h.found[h.Tx.File(name)] = file{txlog.Name(name), info.Size()}
	}
	return nil
}
