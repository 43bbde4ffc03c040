// Package report reads what a stage says of its run: a text file of lines, its
// fields separated by one space.
//
//	in N                          records read
//	out FILE RECORDS SIZE XXH64   a file whose records are the input's
//	made FILE RECORDS SIZE XXH64  a file of other records
//	reason NAME N                 input records that end here, and why
//	count NAME N                  any number
//	because NAME N EXAMPLE REMEDY N records went no further for this reason, like EXAMPLE
//	replaces SEGMENT              the new segment takes this one's place
//	later FILE TIME               this batch is due at TIME (RFC 3339)
//	note TEXT                     for people
//
// FILE, SEGMENT, TEXT, EXAMPLE and REMEDY have bytes outside 0x21 to 0x7e, and '%', written as
// %xx; NAME is of a-z, 0-9 and '-'. Relative paths are relative to the script's
// folder, where stages run. XXH64 is that of the file, with seed 0, in 16 hex
// digits, or "-" from a stage that does not know it. EXAMPLE and REMEDY may be "-" as well; of an
// EXAMPLE, which strangers write, the manager keeps 200 bytes.
//
// The law: in = Σ out + Σ reasons. No record leaves the flow without a word.
package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"multitext/txlog"
)

const (
	maxSize   = 16 << 20 // of a report; a run of 1,000 inputs writes some 100 KB
	maxFields = 5        // of a line
	maxSaid   = 200      // bytes of an example and of a remedy
	maxName   = 100      // bytes of a reason's or counter's name, which the log adds up for ever
)

// A Report is what one run says of itself.
type Report struct {
	In       int64 // -1 where the stage did not say
	Files    []File
	Reasons  []txlog.Count
	Counts   []txlog.Count
	Because  []txlog.Because
	Replaces []string
	Later    map[string]time.Time // by path
	Notes    []string
}

// A File is one that the run wrote.
type File struct {
	Path    string
	Records int64
	Size    int64
	Hash    string // "" where the stage left it to the reader
	Made    bool   // its records are of another unit than the input's
}

// Load reads a report. A missing or empty one is no error: nil, nil.
func Load(path string) (*Report, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("the report has %d bytes, more than %d", info.Size(), maxSize)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(io.LimitReader(f, maxSize))
}

func read(src io.Reader) (*Report, error) {
	r := &Report{In: -1, Later: map[string]time.Time{}}
	lines := bufio.NewScanner(src)
	lines.Buffer(nil, maxSize)
	all := kinds()
	for n := 1; lines.Scan(); n++ {
		if err := r.line(all, strings.SplitN(lines.Text(), " ", maxFields+1)); err != nil {
			return nil, fmt.Errorf("line %d of the report that it wrote to {report}, %.80q: %w", n, lines.Text(), err)
		}
	}
	return r, lines.Err()
}

// Lawful returns an error where records came in and neither left nor were
// given a reason, or the other way round.
func (r *Report) Lawful() error {
	if r.In < 0 {
		return nil
	}
	var out, reasons int64
	for _, f := range r.Files {
		if !f.Made {
			out += f.Records
		}
	}
	for _, c := range r.Reasons {
		reasons += c.N
	}
	if r.In != out+reasons {
		return fmt.Errorf("by its report %d records came in (in), %d went out (out) and %d have a reason (reason): these two must come to the first; "+
			"a record that goes no further needs a reason, and an output of records of another unit is reported as made", r.In, out, reasons)
	}
	return nil
}

// A kind of line has a form, and takes fields of that form.
type kind struct {
	form string
	take func(r *Report, f []string) error
}

// kinds are those there are, by their first word.
func kinds() map[string]kind {
	return map[string]kind{
		"in":       {"in N", func(r *Report, f []string) error { return number("N", f[1], &r.In) }},
		"out":      {"out FILE RECORDS SIZE XXH64", (*Report).file},
		"made":     {"made FILE RECORDS SIZE XXH64", (*Report).file},
		"reason":   {"reason NAME N", func(r *Report, f []string) error { return count(f, &r.Reasons) }},
		"count":    {"count NAME N", func(r *Report, f []string) error { return count(f, &r.Counts) }},
		"because":  {"because NAME N EXAMPLE REMEDY", (*Report).because},
		"replaces": {"replaces SEGMENT", func(r *Report, f []string) error { return text(f, &r.Replaces) }},
		"later":    {"later FILE TIME", (*Report).later},
		"note":     {"note TEXT", func(r *Report, f []string) error { return text(f, &r.Notes) }},
	}
}

func (r *Report) line(kinds map[string]kind, f []string) error {
	k, known := kinds[f[0]]
	if !known {
		return fmt.Errorf("no line begins with %.40q; there are: %s", f[0], strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	if want := strings.Count(k.form, " ") + 1; len(f) != want {
		return fmt.Errorf("it has %d fields, and not the %d of %q", len(f), want, k.form)
	}
	if err := k.take(r, f); err != nil {
		return fmt.Errorf("%w; its form is %q", err, k.form)
	}
	return nil
}

func text(f []string, to *[]string) error {
	text, err := decode(f[1])
	*to = append(*to, text)
	return err
}

func (r *Report) file(f []string) error {
	path, err := decode(f[1])
	file := File{Path: path, Made: f[0] == "made"}
	switch {
	case f[4] == "-":
	case len(f[4]) != 16 || strings.Trim(f[4], "0123456789abcdef") != "":
		err = errors.Join(err, fmt.Errorf("XXH64 is %.40q, and not 16 hex digits, nor \"-\"", f[4]))
	default:
		file.Hash = f[4]
	}
	r.Files = append(r.Files, file)
	last := &r.Files[len(r.Files)-1]
	return errors.Join(err, number("RECORDS", f[2], &last.Records), number("SIZE", f[3], &last.Size))
}

func (r *Report) later(f []string) error {
	path, err := decode(f[1])
	if err != nil {
		return err
	}
	t, err := time.Parse(time.RFC3339, f[2])
	if err != nil {
		return fmt.Errorf("TIME is %.40q, and not like 2006-01-02T15:04:05Z", f[2])
	}
	if t = t.UTC(); t.Year() < 1 || t.Year() > 9999 {
		return fmt.Errorf("the year of %s is beyond what the log can hold", f[2])
	}
	r.Later[path] = t
	return nil
}

func (r *Report) because(f []string) error {
	var named []txlog.Count
	if err := count(f, &named); err != nil {
		return err
	}
	b := txlog.Because{Name: named[0].Name, N: named[0].N}
	for i, to := range []*string{&b.Example, &b.Remedy} {
		if f[3+i] == "-" {
			continue
		}
		text, err := decode(f[3+i])
		if err != nil {
			return err
		}
		*to = text[:min(len(text), maxSaid)]
	}
	r.Because = append(r.Because, b)
	return nil
}

func count(f []string, to *[]txlog.Count) error {
	c := txlog.Count{Name: f[1]}
	if c.Name == "" || len(c.Name) > maxName || strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("NAME is %.80q, and not one of at most %d of a-z, 0-9 and '-'", c.Name, maxName)
	}
	err := number("N", f[2], &c.N)
	*to = append(*to, c)
	return err
}

func number(field, s string, to *int64) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%s is %.40q, no number of at least 0", field, s)
	}
	*to = n
	return nil
}

func decode(s string) (string, error) {
	if !strings.Contains(s, "%") {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("cut escape in %.80q", s)
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("bad escape in %.80q", s)
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), nil
}
