package judge

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"multitext/manager/internal/kind"
	"multitext/manager/internal/report"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// accounts holds the records of the report against its own law and against what
// the inputs were committed with.
func (c *Case) accounts(_ *Verdict, rep *report.Report, _ map[string]file) error {
	if err := rep.Lawful(); err != nil {
		return err
	}
	return c.sameRecords(rep)
}

// reported holds each file that the report names against what it says of it, and
// takes it out of those found. One of no records is dropped.
func (c *Case) reported(v *Verdict, rep *report.Report, found map[string]file) error {
	for _, r := range rep.Files {
		path := c.absolute(r.Path)
		f, ok := found[path]
		delete(found, path)
		switch {
		case r.Records == 0:
			continue
		case !ok:
			return fmt.Errorf("it reports %d records in %.200q, which is not there", r.Records, r.Path)
		case f.size != r.Size:
			return fmt.Errorf("it reports %d bytes in %s, which has %d", r.Size, f.name, f.size)
		}
		sum := r.Hash
		if sum == "" {
			var err error
			if sum, err = c.hash(v, f.name, path); err != nil {
				return err
			}
		}
		c.keep(v, txlog.Output{Name: f.name, Size: f.size, Hash: sum, Records: r.Records, Made: r.Made})
	}
	return nil
}

// unreported takes the files that the report does not name as they are, of
// unknown records. A report that says how many records came in must account for
// every file; one that only counts or notes need not.
func (c *Case) unreported(v *Verdict, rep *report.Report, found map[string]file) error {
	for _, path := range slices.Sorted(maps.Keys(found)) {
		f := found[path]
		if rep.In >= 0 {
			return fmt.Errorf("it left %s and does not report it", f.name)
		}
		sum, err := c.hash(v, f.name, path)
		if err != nil {
			return err
		}
		c.keep(v, txlog.Output{Name: f.name, Size: f.size, Hash: sum, Records: -1})
	}
	return nil
}

// due holds outputs until the times that the report says. A time for anything
// else would be lost without a word, so it is refused; but not for an output of no
// records, which was dropped.
func (c *Case) due(v *Verdict, rep *report.Report, _ map[string]file) error {
	times := map[string]time.Time{}
	for path, t := range rep.Later {
		times[c.absolute(path)] = t
	}
	for _, r := range rep.Files {
		if r.Records == 0 {
			delete(times, c.absolute(r.Path))
		}
	}
	for i := range v.Outputs {
		path := filepath.Join(c.Work, string(v.Outputs[i].Name))
		v.Outputs[i].Due = times[path]
		delete(times, path)
	}
	for path := range times {
		return fmt.Errorf("it says %.200q is due later, which is no batch of this run", path)
	}
	return nil
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

// segments holds the new segment, and those whose place it takes, against what
// the log can take: at most one, in the place of the newest.
func (c *Case) segments(v *Verdict, rep *report.Report, _ map[string]file) error {
	if len(v.Segments) > 1 {
		return fmt.Errorf("it left %d segments of %q; a run adds one", len(v.Segments), c.State)
	}
	replaced := map[txlog.Name]bool{}
	for _, path := range rep.Replaces {
		rel, err := filepath.Rel(c.Root, c.absolute(path))
		if err != nil {
			return err
		}
		replaced[txlog.Name(rel)] = true
	}
	keep := len(c.Have) - len(replaced)
	if keep < 0 || len(replaced) > 0 && len(v.Segments) == 0 {
		return fmt.Errorf("it replaces %d segments of %q, which has %d, by %d", len(replaced), c.State, len(c.Have), len(v.Segments))
	}
	for _, name := range c.Have[keep:] {
		delete(replaced, name)
		v.Replaced = append(v.Replaced, name)
	}
	for name := range replaced {
		return fmt.Errorf("it replaces %.200q, which is not among the newest %d of %q", name, len(v.Replaced), c.State)
	}
	return nil
}

func (c *Case) keep(v *Verdict, o txlog.Output) {
	v.Files = append(v.Files, o.Name)
	if c.State != "" && o.Name.Dir() == c.Segment {
		v.Segments = append(v.Segments, o)
		return
	}
	o.Export = c.Exports[o.Name.Queue()]
	v.Outputs = append(v.Outputs, o)
}

func (c *Case) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(c.Folder, path)
}

// hash is that of an output, whose name is held against its first bytes.
func (c *Case) hash(v *Verdict, name txlog.Name, path string) (string, error) {
	sum, err := workdir.Hash(path)
	_, batch := c.Queues[name.Queue()]
	if err != nil || !batch {
		return sum, err
	}
	compression, err := kind.OfFile(path)
	_, _, ext, _ := txlog.ParseFileName(filepath.Base(string(name)))
	if _, named := kind.Of(ext); err == nil && named != compression {
		if v.Misnamed == nil {
			v.Misnamed = map[string]string{}
		}
		v.Misnamed[name.Queue()] = fmt.Sprintf("the batches of %s are named .%s, and their first bytes are %s", name.Queue(), ext, kind.InWords(compression))
	}
	return sum, err
}
