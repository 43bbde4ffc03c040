package judge

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"multitext/manager/internal/kind"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// reported compares each file that the report names with the report, and removes it from the files
// found. It drops a file of no records.
func (h *hearing) reported() error {
	for _, r := range h.report.files {
		path := h.absolute(r.path)
		f, ok := h.found[path]
		delete(h.found, path)
		switch {
		case r.records == 0:
			continue
		case !ok:
			return fmt.Errorf("it reports %d records in %.200q, which does not exist", r.records, r.path)
		case f.size != r.size:
			return fmt.Errorf("it reports %d bytes in %s, which has %d", r.size, f.name, f.size)
		}
		if err := h.keep(path, f, r); err != nil {
			return err
		}
	}
	return nil
}

// unreported accepts the files that the report does not name, with an unknown number of records. A
// report with the number of records read must name every file. A report with only counts or notes
// need not.
func (h *hearing) unreported() error {
	for _, path := range slices.Sorted(maps.Keys(h.found)) {
		if h.report.said.Read >= 0 {
			return fmt.Errorf("it wrote %s but does not report it", h.found[path].name)
		}
		if err := h.keep(path, h.found[path], reported{records: -1}); err != nil {
			return err
		}
	}
	return nil
}

// keep adds a file to the commit. It computes the hash if the report has none.
func (h *hearing) keep(path string, f file, r reported) (err error) {
	o := txlog.Output{Name: f.name, Size: f.size, Hash: r.hash, Records: r.records, Made: r.made}
	q := h.Script.Queue(f.name.Queue()) // nil if the file is a segment
	if o.Hash == "" {
		if o.Hash, err = workdir.Hash(path); err == nil && q != nil {
			err = h.compression(f.name, path)
		}
	}
	v := h.verdict
	v.Files = append(v.Files, o.Name)
	if q == nil {
		v.Commit.Segments = append(v.Commit.Segments, o)
	} else {
		o.Export = q.Export
		// A state may ask for one more run, as that of gofer does, which tells others what has come.
		o.Product = len(h.Stage.In) == 0 && h.Stage.State == "" && len(q.Readers) == 0 && !q.Export
		v.Commit.Outputs = append(v.Commit.Outputs, o)
	}
	return err
}

// compression compares the first bytes of a batch with its name.
func (h *hearing) compression(name txlog.Name, path string) error {
	is, err := kind.OfFile(path)
	_, _, ext, _ := txlog.ParseFileName(filepath.Base(path))
	if _, named := kind.Of(ext); err == nil && named != is {
		if h.verdict.Misnamed == nil {
			h.verdict.Misnamed = map[string]string{}
		}
		h.verdict.Misnamed[name.Queue()] = fmt.Sprintf("the batches of %s are named .%s, and their first bytes are %s",
			name.Queue(), ext, kind.InWords(is))
	}
	return err
}

// due sets the due times of outputs from the report. A due time for any other file is an error,
// because it would be lost silently. The exception is an output of no records, which was dropped.
func (h *hearing) due() error {
	times := map[string]due{}
	for path, t := range h.report.later {
		times[h.absolute(path)] = t
	}
	for _, r := range h.report.files {
		if r.records == 0 {
			delete(times, h.absolute(r.path))
		}
	}
	outputs := h.verdict.Commit.Outputs
	for i := range outputs {
		path := h.Tx.File(string(outputs[i].Name))
		outputs[i].Due, outputs[i].Latest = times[path].at, times[path].latest
		delete(times, path)
	}
	for path := range times {
		return fmt.Errorf("it says %.200q is due later, which is not a batch of this run", path)
	}
	return nil
}

// sameRecords compares the number of records that the run has read with the number in the commits
// of its inputs.
func (h *hearing) sameRecords() error {
	read := h.report.said.Read
	if read < 0 {
		return nil
	}
	var sum int64
	for _, in := range h.Inputs {
		if in.Records < 0 {
			return nil
		}
		sum += in.Records
	}
	if len(h.Inputs) > 0 && sum != read {
		return fmt.Errorf("it reports %d records read, but its inputs contain %d", read, sum)
	}
	return nil
}

// segments checks the new segment and the segments that it replaces: there is at most one new
// segment, and it replaces the newest ones.
func (h *hearing) segments() error {
	rec, state := &h.verdict.Commit, h.Stage.State
	if len(rec.Segments) > 1 {
		return fmt.Errorf("it wrote %d segments of %q; a run may add one", len(rec.Segments), state)
	}
	if len(rec.Segments) > 0 {
		rec.State = state
	}
	var have []txlog.Name
	for _, name := range h.Segments {
		if name.Dir() == workdir.SegmentDir(state) {
			have = append(have, name)
		}
	}
	replaced := map[txlog.Name]bool{}
	for _, path := range h.report.replaces {
		rel, err := filepath.Rel(h.Script.Dir, h.absolute(path))
		if err != nil {
			return err
		}
		replaced[txlog.Name(rel)] = true
	}
	keep := len(have) - len(replaced)
	if keep < 0 || len(replaced) > 0 && len(rec.Segments) == 0 {
		return fmt.Errorf("it replaces %d segments of %q, which has %d, by %d",
			len(replaced), state, len(have), len(rec.Segments))
	}
	for _, name := range have[keep:] {
		delete(replaced, name)
		rec.Replaced = append(rec.Replaced, name)
	}
	for name := range replaced {
		return fmt.Errorf("it replaces %.200q, which is not among the newest %d of %q", name, len(rec.Replaced), state)
	}
	return nil
}

func (h *hearing) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(h.Script.Folder, path)
}
