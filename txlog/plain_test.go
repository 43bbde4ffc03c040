package txlog

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// This is the plain way to read a line, which takes it apart first: what the reader
// of this package is held to.

// A line is a record as text, without its checksum: a kind, then fields.
type line struct {
	kind   string
	fields []field
}

// A field is a key with one or more values. A key may occur many times.
type field struct {
	key    string
	values []string
}

// plainLine takes a body apart. The values alias it where nothing was escaped.
func plainLine(body string) (line, error) {
	kind, rest, more := strings.Cut(body, "\t")
	l := line{kind: kind}
	for more {
		var text string
		text, rest, more = strings.Cut(rest, "\t")
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return l, fmt.Errorf("field %q has no value", text)
		}
		f := field{key: key}
		for again := true; again; {
			var v string
			v, value, again = strings.Cut(value, " ")
			v, err := plainUnescape(v)
			if err != nil {
				return l, err
			}
			f.values = append(f.values, v)
		}
		l.fields = append(l.fields, f)
	}
	return l, nil
}

func plainUnescape(s string) (string, error) {
	if s == "-" {
		return "", nil
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("cut escape in %q", s)
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("bad escape in %q", s)
		}
		out = append(out, byte(n))
		i += 2
	}
	return string(out), nil
}

// plainRecord makes the record of a line after the checkpoint.
func plainRecord(body string) (Record, error) {
	l, err := plainLine(body)
	if err != nil {
		return nil, err
	}
	switch l.kind {
	case "commit":
		return plainCommit(l)
	case "abort":
		return plainAbort(l)
	}
	return nil, fmt.Errorf("unknown kind of line %q", l.kind)
}

func plainCommit(l line) (*Commit, error) {
	c := &Commit{Read: -1}
	r := plainReader{}
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "tx":
			c.Tx = uint64(r.int(0))
		case "stage":
			c.Stage = r.text(0)
		case "read":
			c.Read = r.int(0)
		case "in":
			c.Inputs = append(c.Inputs, r.input())
		case "out":
			c.Outputs = append(c.Outputs, r.output())
		case "state":
			c.State = r.text(0)
		case "segment":
			c.Segments = append(c.Segments, r.output())
		case "replaced":
			c.Replaced = append(c.Replaced, r.name(0))
		case "reason":
			c.Reasons = append(c.Reasons, Count{r.text(0), r.int(1)})
		case "count":
			c.Counts = append(c.Counts, Count{r.text(0), r.int(1)})
		case "because":
			c.Because = append(c.Because, Because{r.text(0), r.int(1), r.text(2), r.text(3)})
		case "note":
			c.Notes = append(c.Notes, r.text(0))
		case "seed":
			c.Seed = r.text(0)
		case "request":
			c.Request = r.text(0)
		case "part":
			c.Part = Count{r.text(0), r.int(1)}
		case "reset":
			c.Reset = append(c.Reset, Mark{Name: r.nameOrNone(0), Stage: r.text(1)})
		case "forget":
			c.Forget = append(c.Forget, Forgotten{r.text(0), r.text(1)})
		case "gone":
			c.Gone = append(c.Gone, r.name(0))
		case "export":
			c.Export = r.text(0)
		default:
			r.run(&c.Run)
		}
	}
	r.end()
	return c, r.err
}

func plainAbort(l line) (*Abort, error) {
	a := &Abort{}
	r := plainReader{}
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "tx":
			a.Tx = uint64(r.int(0))
		case "stage":
			a.Stage = r.text(0)
		case "why":
			a.Why = r.text(0)
		case "in":
			a.Inputs = append(a.Inputs, r.input())
		case "mark":
			a.Marks = append(a.Marks, r.mark())
		case "row":
			a.Row = int(r.int(0))
		case "rest":
			a.Rest = r.time(0)
		default:
			r.run(&a.Run)
		}
	}
	r.end()
	return a, r.err
}

// A plainReader takes typed values out of a field and keeps the first error.
type plainReader struct {
	f     field
	taken int // of its values
	err   error
}

func (r *plainReader) field(f field) {
	r.end()
	r.f, r.taken = f, 0
}

// end refuses the values that were not taken.
func (r *plainReader) end() {
	if r.taken < len(r.f.values) {
		r.unknown()
	}
}

func (r *plainReader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("field %s: %w", r.f.key, err)
	}
}

func (r *plainReader) text(i int) string {
	if i >= len(r.f.values) {
		r.fail(fmt.Errorf("%d values, want more", len(r.f.values)))
		return ""
	}
	r.taken = max(r.taken, i+1)
	return r.f.values[i]
}

func (r *plainReader) int(i int) int64 {
	n, err := strconv.ParseInt(r.text(i), 10, 64)
	r.fail(err)
	return n
}

func (r *plainReader) time(i int) time.Time {
	t, err := plainTime(r.text(i))
	r.fail(err)
	return t
}

func (r *plainReader) name(i int) Name {
	n := Name(r.text(i))
	r.fail(n.check())
	return n
}

func (r *plainReader) nameOrNone(i int) Name {
	if r.text(i) == "" {
		return ""
	}
	return r.name(i)
}

// flags takes the words of a value, each of which it must know.
func (r *plainReader) flags(i int, known map[string]*bool) {
	text := r.text(i)
	for w := range strings.SplitSeq(text, ",") {
		if set := known[w]; set != nil {
			*set = true
		} else if text != "" {
			r.unknown()
		}
	}
}

func (r *plainReader) input() Input {
	fate := r.text(2)
	if fate != "gone" && fate != "kept" {
		r.unknown()
	}
	return Input{Name: r.name(0), Records: r.int(1), Gone: fate == "gone"}
}

func (r *plainReader) output() Output {
	o := Output{Name: r.name(0), Size: r.int(1), Hash: r.text(2), Records: r.int(3), Due: r.time(5)}
	r.flags(4, map[string]*bool{"made": &o.Made, "export": &o.Export})
	return o
}

func (r *plainReader) mark() Mark {
	m := Mark{Name: r.name(0), Stage: r.text(1), Fails: int(r.int(2)), Laters: int(r.int(3)), Until: r.time(4)}
	r.flags(5, map[string]*bool{"alone": &m.Alone, "aside": &m.Aside})
	return m
}

// run takes the fields that tell how a stage ran.
func (r *plainReader) run(run *Run) {
	switch r.f.key {
	case "start":
		run.Start = r.time(0)
	case "end":
		run.End = r.time(0)
	case "cpu_us":
		run.CPU = time.Duration(r.int(0)) * time.Microsecond
	case "mem":
		run.Memory = r.int(0)
	case "exit":
		run.Exit = r.text(0)
	case "run":
		run.Command, r.taken = r.f.values, len(r.f.values)
	case "shown":
		run.Shown = append(run.Shown, Shown{r.text(0), r.text(1)})
	case "stderr":
		run.Stderr = r.text(0)
	default:
		r.unknown()
	}
}

// unknown refuses the field: a newer program wrote it, and its meaning may
// change what is live.
func (r *plainReader) unknown() { r.fail(errors.New("unknown to this version of the log")) }

func plainTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(timeForm, s)
}

// lines are bodies as they stand in a log, and others that are nearly right.
func lines() (bodies []string) {
	for _, r := range slices.Concat(story(), resetStory()) {
		bodies = append(bodies, string(r.body()))
	}
	for _, digit := range "09afAF/:@G`g+_ " { // the digits of an escape, and their neighbours
		bodies = append(bodies, fmt.Sprintf("commit\tnote=%%%c1", digit), fmt.Sprintf("commit\tstderr=a%%1%c", digit))
	}
	return append(bodies, "", "commit", "commit\t", "commit\ttx", "commit\ttx=", "commit\ttx=-1\tread=+5\tread=-0",
		"commit\ttx=18446744073709551616", "commit\ttx=999999999999999999\tcpu_us=1e3", "commit\ttx=9223372036854775808",
		"commit\tstart=2026-02-29T00:00:00.000Z", "commit\tstart=2028-02-29T00:00:00.000Z\tend=2026-12-31T23:59:59,999Z",
		"commit\tstart=2026-03-31T01:23:45.678Z\tend=2026-04-01T00:00:00.001Z x", "commit\tstart=2026-03-31T01:23:45.678Zx",
		"commit\tstart=2026-03-31T01:23:60.000Z", "commit\ttx=1 \tmem=12 3", "commit\ttx=1x", "commit\ttx=000000000000000012", "commit\ttx=0000000000000000012",
		"commit\tstart=2026-13-01T00:00:00.000Z", "commit\tstart=2026-01-01T24:00:00.000Z", "commit\tstart=-\tend=0000-01-00T00:00:00.000Z",
		"commit\tin=a/m-000000000001-00001 5 gone more %zz", "commit\tin=a/m-000000000001-00001 5", "commit\tin=- 5 gone",
		"commit\tout=a/m-000000000001-00001.zst 1 aa - made,export 2026-01-01T00:00:00.5Z",
		"commit\tout=a/m-000000000001-00001.zst 1 aa 7 made, -", "commit\tout=a/m-000000000001-00001.zst 1 aa 7 ,, -",
		"commit\tin=a/m-000000000001-00001 5 kept", "commit\tin=a/m-000000000001-00001 5 moved", "abort\tin=a/m-000000000001-00001 5 gone gone",
		"commit\tstderr=a b", "commit\tstderr=a%20b\trun=", "commit\treset=- copy\tforget=state a%20b\tgone=a/../m-000000000001-00001", "commit\treason=%2d 5\tcount=%41 -5",
		"commit\trun=a %62 - %\tstderr=%0a%0A", "commit\tnote=a b", "abort\tmark=a/m-000000000001-00001 s 1 2 - alone,aside",
		"abort\twhy=x\trow=2\trest=2026-01-28T10:11:12.013Z\tx=y", "abort\tmark=a/m-000000000001-00001 s 1 2 - x", "batch\tfile=a")
}

// The reader of lines, and the brief one, read as the plain one does, and refuse the same.
func FuzzLine(f *testing.F) {
	for _, body := range lines() {
		f.Add(body)
	}
	full, brief := decoder{}, decoder{brief: true}
	for _, d := range []*decoder{&full, &brief} {
		name := Name("a/m-000000000001-00001")
		d.live = map[Name]*Batch{name: {Output: Output{Name: name}}}
	}
	f.Fuzz(func(t *testing.T, body string) {
		if strings.ContainsAny(body, "\n") {
			return
		}
		want, wantErr := plainRecord(body)
		got, err := full.record([]byte(body))
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, want %v", body, err, wantErr)
		}
		short, shortErr := brief.record([]byte(body))
		if (shortErr == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, want %v", body, shortErr, wantErr)
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v, want\n%+v", body, got, want)
		}
		var run *Run
		switch r := want.(type) {
		case *Commit:
			run = &r.Run
		case *Abort:
			run = &r.Run
		}
		run.Command, run.Stderr = nil, ""
		if string(short.body()) != string(want.body()) {
			t.Errorf("in brief %q:\n%+v, want\n%+v", body, short, want)
		}
	})
}

// A word that many lines have is copied once, and one that is long is not kept.
func TestWordsAreKnown(t *testing.T) {
	d := decoder{brief: true}
	body := []byte("commit\ttx=1\tstage=fetch\treason=gone 1\tcount=" + strings.Repeat("c", maxWord) + " 1")
	if n := testing.AllocsPerRun(100, func() { d.record(body) }); n != 0 {
		t.Errorf("a line of words that were met before takes %v allocations", n)
	}
	if _, err := d.record([]byte("commit\ttx=1\tstage=" + strings.Repeat("s", maxWord+1))); err != nil {
		t.Fatal(err)
	}
	for _, word := range d.known {
		if len(word) > maxWord {
			t.Errorf("%q is remembered", word)
		}
	}
}
