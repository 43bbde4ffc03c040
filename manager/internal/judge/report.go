package judge

import (
	"bufio"
	"encoding/hex"
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
	maxSize   = 16 << 20 // size of a report; a run of 1,000 inputs writes about 100 KB
	maxFields = 5        // number of fields in a line
	maxSaid   = 200      // bytes of an example and of a remedy
	maxName   = 100      // bytes of the name of a reason or counter, which the log keeps forever
)

// A report contains what a run reports about itself.
type report struct {
	said     txlog.Commit // its numbers, reasons and notes; Read is -1 if the report has none
	files    []reported
	replaces []string
	later    map[string]due // by path
}

// A reported is a file that the run wrote, according to the report.
type reported struct {
	path    string
	records int64
	size    int64
	hash    string // "" if the manager has to compute it
	made    bool   // its records have another unit than the input's
}

// load reads a report. It returns nil, nil if the report is missing or empty.
func load(path string) (*report, error) {
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

// A due says when an output is due.
type due struct {
	at     time.Time
	latest bool // or sooner, at a standstill
}

func newReport() *report { return &report{said: txlog.Commit{Read: -1}, later: map[string]due{}} }

func read(src io.Reader) (*report, error) {
	r := newReport()
	lines := bufio.NewScanner(src)
	lines.Buffer(nil, maxSize)
	all := forms()
	for n := 1; lines.Scan(); n++ {
		if err := r.line(all, strings.SplitN(lines.Text(), " ", maxFields+1)); err != nil {
			return nil, fmt.Errorf("line %d of the report that it wrote to {report}, %.80q: %w", n, lines.Text(), err)
		}
	}
	return r, lines.Err()
}

// lawful returns an error if the number of records read is not the number written plus the number
// dropped with a reason.
func (r *report) lawful() error {
	//failpoint:accounts-unread return nil
	in := r.said.Read
	if in < 0 {
		return nil
	}
	var out, reasons int64
	for _, f := range r.files {
		if !f.made {
			out += f.records
		}
	}
	for _, c := range r.said.Reasons {
		reasons += c.N
	}
	if in != out+reasons {
		return fmt.Errorf("by its report %d records came in (in), %d went out (out) and %d have a reason (reason): "+
			"the last two must add up to the first; a dropped record needs a reason, and an output of records "+
			"of another unit must be reported as made", in, out, reasons)
	}
	return nil
}

// A form describes the lines with one first word, and parses their fields.
type form struct {
	fields string
	take   func(r *report, f []string) error
}

// forms maps the first word of a line to its form.
func forms() map[string]form {
	return map[string]form{
		"in":       {"in N", func(r *report, f []string) error { return number("N", f[1], &r.said.Read) }},
		"out":      {"out FILE RECORDS SIZE XXH64", (*report).file},
		"made":     {"made FILE RECORDS SIZE XXH64", (*report).file},
		"reason":   {"reason NAME N", func(r *report, f []string) error { return count(f, &r.said.Reasons) }},
		"count":    {"count NAME N", func(r *report, f []string) error { return count(f, &r.said.Counts) }},
		"gauge":    {"gauge NAME N", func(r *report, f []string) error { return count(f, &r.said.Gauges) }},
		"because":  {"because NAME N EXAMPLE REMEDY", (*report).because},
		"replaces": {"replaces SEGMENT", func(r *report, f []string) error { return text(f, &r.replaces) }},
		"later":    {"later FILE TIME", (*report).due},
		"latest":   {"latest FILE TIME", (*report).due},
		"note":     {"note TEXT", func(r *report, f []string) error { return text(f, &r.said.Notes) }},
	}
}

func (r *report) line(forms map[string]form, f []string) error {
	form, known := forms[f[0]]
	if !known {
		return fmt.Errorf("no line begins with %.40q; there are: %s", f[0],
			strings.Join(slices.Sorted(maps.Keys(forms)), ", "))
	}
	if want := strings.Count(form.fields, " ") + 1; len(f) != want {
		return fmt.Errorf("it has %d fields, want the %d of %q", len(f), want, form.fields)
	}
	if err := form.take(r, f); err != nil {
		return fmt.Errorf("%w; its form is %q", err, form.fields)
	}
	return nil
}

func text(f []string, to *[]string) error {
	text, err := decode(f[1])
	*to = append(*to, text)
	return err
}

func (r *report) file(f []string) error {
	path, err := decode(f[1])
	file := reported{path: path, made: f[0] == "made"}
	switch {
	case f[4] == "-":
	case len(f[4]) != 16 || strings.Trim(f[4], "0123456789abcdef") != "":
		err = errors.Join(err, fmt.Errorf("XXH64 is %.40q, want 16 hex digits or \"-\"", f[4]))
	default:
		file.hash = f[4]
	}
	err = errors.Join(err, number("RECORDS", f[2], &file.records), number("SIZE", f[3], &file.size))
	r.files = append(r.files, file)
	return err
}

func (r *report) due(f []string) error {
	path, err := decode(f[1])
	if err != nil {
		return err
	}
	t, err := time.Parse(time.RFC3339, f[2])
	if err != nil {
		return fmt.Errorf("TIME is %.40q, want a time such as 2006-01-02T15:04:05Z", f[2])
	}
	if t = t.UTC(); t.Year() < 1 || t.Year() > 9999 {
		return fmt.Errorf("the year of %s is beyond what the log can hold", f[2])
	}
	r.later[path] = due{t, f[0] == "latest"}
	return nil
}

func (r *report) because(f []string) error {
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
	r.said.Because = append(r.said.Because, b)
	return nil
}

func count(f []string, to *[]txlog.Count) error {
	c := txlog.Count{Name: f[1]}
	if c.Name == "" || len(c.Name) > maxName || strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("NAME is %.80q, want at most %d characters of a-z, 0-9 and '-'", c.Name, maxName)
	}
	err := number("N", f[2], &c.N)
	*to = append(*to, c)
	return err
}

func number(field, s string, to *int64) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%s is %.40q, want a number of at least 0", field, s)
	}
	*to = n
	return nil
}

func decode(s string) (string, error) {
	parts := strings.Split(s, "%")
	text := []byte(parts[0])
	for _, part := range parts[1:] {
		b, err := hex.DecodeString(part[:min(2, len(part))])
		if err != nil || len(b) != 1 {
			return "", fmt.Errorf("bad escape in %.80q", s)
		}
		text = append(append(text, b...), part[2:]...)
	}
	return string(text), nil
}
