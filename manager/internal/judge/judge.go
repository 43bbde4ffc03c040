// Package judge decides whether a run that ended well may commit: whether the
// files it left are those it was told to write, and agree with its report.
package judge

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/manager/internal/report"
	"multitext/txlog"
)

// A Case is what a run was given and what it might leave.
type Case struct {
	Tx      uint64
	Work    string            // absolute path of work/T
	Folder  string            // where the stage ran; relative paths in its report start here
	Report  string            // path of the report; it may not be there
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
	Notes    []string
	Files    []txlog.Name // all that must be made durable
}

// Judge looks at the files and the report. An error is a failure of the run:
// it says which file or number does not agree.
func Judge(c *Case) (*Verdict, error) {
	rep, err := report.Load(c.Report)
	if err != nil {
		return nil, err
	}
	v := &Verdict{Read: -1}
	found, err := c.find()
	if err != nil {
		return nil, err
	}
	if rep == nil {
		err = c.unreported(v, found)
	} else {
		err = c.reported(v, rep, found)
	}
	if err != nil {
		return nil, err
	}
	return v, c.limits(v)
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
	dirs := map[string]string{}
	for queue, ext := range c.Queues {
		dirs[queue] = ext
	}
	if c.State != "" {
		dirs[c.Segment] = "seg"
	}
	for dir, ext := range dirs {
		entries, err := os.ReadDir(filepath.Join(c.Work, dir))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if info.Mode().IsRegular() && info.Size() == 0 {
				continue
			}
			tx, _, got, ok := txlog.ParseFileName(e.Name())
			if !ok || tx != c.Tx || got != ext || !info.Mode().IsRegular() {
				return nil, fmt.Errorf("it left %s/%q; outputs are files named NAME-%s-NNNNN.%s", dir, e.Name(), txlog.TxDir(c.Tx), ext)
			}
			found[filepath.Join(c.Work, dir, e.Name())] = file{txlog.Name(dir + "/" + e.Name()), info.Size()}
		}
	}
	return found, nil
}

// unreported takes the files as they are, of unknown records.
func (c *Case) unreported(v *Verdict, found map[string]file) error {
	for path, f := range found {
		sum, err := hash(path)
		if err != nil {
			return err
		}
		c.keep(v, txlog.Output{Name: f.name, Size: f.size, Hash: sum, Records: -1})
	}
	return nil
}

// reported holds each file against what the report says of it.
func (c *Case) reported(v *Verdict, rep *report.Report, found map[string]file) error {
	if err := rep.Lawful(); err != nil {
		return err
	}
	if err := c.sameRecords(rep); err != nil {
		return err
	}
	v.Read, v.Reasons, v.Counts, v.Notes = rep.In, rep.Reasons, rep.Counts, rep.Notes
	due := map[string]time.Time{}
	for path, t := range rep.Later {
		due[c.absolute(path)] = t
	}
	for _, r := range rep.Files {
		path := c.absolute(r.Path)
		f, ok := found[path]
		if r.Records == 0 {
			delete(found, path)
			continue
		}
		if !ok {
			return fmt.Errorf("it reports %d records in %s, which is not there", r.Records, r.Path)
		}
		if f.size != r.Size {
			return fmt.Errorf("it reports %d bytes in %s, which has %d", r.Size, f.name, f.size)
		}
		c.keep(v, txlog.Output{Name: f.name, Size: f.size, Hash: r.Hash, Records: r.Records, Made: r.Made, Due: due[path]})
		delete(found, path)
	}
	if err := c.rest(v, rep, found); err != nil {
		return err
	}
	return c.replaced(v, rep)
}

// rest judges the files that the report does not name. One that says how many
// records came in must account for every file; one that only counts or notes
// need not.
func (c *Case) rest(v *Verdict, rep *report.Report, found map[string]file) error {
	for _, f := range found {
		if rep.In >= 0 {
			return fmt.Errorf("it left %s and does not report it", f.name)
		}
	}
	return c.unreported(v, found)
}

// sameRecords holds what the run says it read against what its inputs were
// committed with.
func (c *Case) sameRecords(rep *report.Report) error {
	if rep.In < 0 {
		return nil
	}
	var sum int64
	for _, in := range c.Inputs {
		if in.Records < 0 {
			return nil
		}
		sum += in.Records
	}
	if len(c.Inputs) > 0 && sum != rep.In {
		return fmt.Errorf("it reports %d records read, its inputs hold %d", rep.In, sum)
	}
	return nil
}

func (c *Case) replaced(v *Verdict, rep *report.Report) error {
	for _, path := range rep.Replaces {
		rel, err := filepath.Rel(c.Root, c.absolute(path))
		if err != nil {
			return err
		}
		v.Replaced = append(v.Replaced, txlog.Name(rel))
	}
	keep := len(c.Have) - len(v.Replaced)
	if keep < 0 || len(v.Replaced) > 0 && len(v.Segments) == 0 {
		return fmt.Errorf("it replaces %d segments of %q, which has %d, by %d", len(v.Replaced), c.State, len(c.Have), len(v.Segments))
	}
	have := map[txlog.Name]bool{}
	for _, name := range c.Have[keep:] {
		have[name] = true
	}
	for _, name := range v.Replaced {
		if !have[name] {
			return fmt.Errorf("it replaces %s, which is not among the newest %d of %q", name, len(v.Replaced), c.State)
		}
	}
	v.Replaced = append(v.Replaced[:0], c.Have[keep:]...)
	return nil
}

func (c *Case) keep(v *Verdict, o txlog.Output) {
	v.Files = append(v.Files, o.Name)
	if c.State != "" && o.Name.Dir() == c.Segment {
		v.Segments = append(v.Segments, o)
		return
	}
	o.Export = c.Exports[o.Name.Dir()]
	v.Outputs = append(v.Outputs, o)
}

// limits holds what the log could not take.
func (c *Case) limits(v *Verdict) error {
	if len(v.Segments) > 1 {
		return fmt.Errorf("it left %d segments of %q; a run adds one", len(v.Segments), c.State)
	}
	return nil
}

func (c *Case) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(c.Folder, path)
}

// hash is XXH64 of a file, in 16 hex digits.
func hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := xxhash.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}
