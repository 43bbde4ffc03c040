package txlog

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// A reader takes the body of a line apart as it goes, field by field and value by
// value, and copies only what is asked for: a start may have millions of lines to
// read. It keeps the first error. A value that is cut short or escaped wrongly is one
// even where nobody asks for it.
type reader struct {
	kind   []byte
	key    []byte // of the field it stands at
	values []byte // of that, those not yet taken
	left   bool   // there is one, if only an empty one
	fields []byte // behind it
	more   bool   // there is one
	err    error
	known  map[string]string // short texts met before, so that each is copied once
}

// maxKnown bounds the texts that are remembered, maxWord the length of each: names of
// stages, counters and flags are few and short.
const maxKnown, maxWord = 4096, 40

// begin goes to the beginning of a line.
func (r *reader) begin(body []byte) {
	*r = reader{known: r.known}
	r.kind, r.fields, r.more = bytes.Cut(body, []byte{'\t'})
}

// next goes on to the next field, false where there is none or an error was met.
func (r *reader) next() bool {
	r.skip()
	if !r.more || r.err != nil {
		return false
	}
	var text []byte
	text, r.fields, r.more = bytes.Cut(r.fields, []byte{'\t'})
	if r.key, r.values, r.left = bytes.Cut(text, []byte{'='}); !r.left {
		r.fail(fmt.Errorf("%.40q has no value", text))
	}
	return r.left
}

// skip passes over the values that were not taken.
func (r *reader) skip() {
	for r.left && r.err == nil && bytes.IndexByte(r.values, '%') >= 0 {
		r.take()
	}
	r.left = false
}

// end passes over the fields that were not read, and returns the first error.
func (r *reader) end() error {
	for r.next() {
	}
	return r.err
}

func (r *reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("field %s: %w", r.key, err)
	}
}

// unknown refuses the field: a newer program wrote it, and its meaning may
// change what is live.
func (r *reader) unknown() { r.fail(errors.New("unknown to this version of the log")) }

// take is the next value, good until the next line.
func (r *reader) take() (value []byte) {
	if !r.left {
		r.fail(errors.New("it has fewer values than it should"))
		return nil
	}
	value, r.values, r.left = bytes.Cut(r.values, []byte{' '})
	if bytes.IndexByte(value, '%') < 0 && string(value) != "-" {
		return value
	}
	text, err := unescape(string(value))
	r.fail(err)
	return []byte(text)
}

func (r *reader) text() string { return string(r.take()) }

// word is a text that many lines have.
func (r *reader) word() string {
	value := r.take()
	if text, ok := r.known[string(value)]; ok {
		return text
	}
	text := string(value)
	if len(text) <= maxWord && len(r.known) < maxKnown {
		if r.known == nil {
			r.known = map[string]string{}
		}
		r.known[text] = text
	}
	return text
}

// words are all values that are left.
func (r *reader) words() (all []string) {
	for r.left {
		all = append(all, r.word())
	}
	return all
}

func (r *reader) int() int64 {
	value := r.take()
	if n, ok := digits(value); ok {
		return n
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	r.fail(err)
	return n
}

func (r *reader) time() time.Time {
	t, err := parseTime(r.take())
	r.fail(err)
	return t
}

func (r *reader) name() Name {
	n := Name(r.take())
	r.fail(n.check())
	return n
}

func (r *reader) nameOrNone() Name {
	value := r.take()
	if len(value) == 0 {
		return ""
	}
	n := Name(value)
	r.fail(n.check())
	return n
}

// flags takes words that stand behind commas; set reports whether it knows one.
func (r *reader) flags(set func(flag []byte) bool) {
	text := r.take()
	if len(text) == 0 {
		return
	}
	for flag := range bytes.SplitSeq(text, []byte{','}) {
		if !set(flag) {
			r.unknown()
		}
	}
}

// digits reads a number of nothing but digits, few enough that it fits.
func digits(text []byte) (n int64, ok bool) {
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// parseTime reads what formatTime writes, and whatever else time.Parse takes for it.
func parseTime(text []byte) (time.Time, error) {
	if len(text) == 0 {
		return time.Time{}, nil
	}
	if t, ok := exactTime(text); ok {
		return t, nil
	}
	return time.Parse(timeForm, string(text))
}

// exactTime reads a time of all its digits, on a day that every month has.
func exactTime(text []byte) (t time.Time, ok bool) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(text) != len(form) {
		return t, false
	}
	for i := range len(form) {
		if digit := text[i] >= '0' && text[i] <= '9'; digit != (form[i] == '0') || !digit && text[i] != form[i] {
			return t, false
		}
	}
	number := func(from, to int) int { n, _ := digits(text[from:to]); return int(n) }
	month, day := number(5, 7), number(8, 10)
	hour, minute, second := number(11, 13), number(14, 16), number(17, 19)
	if month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return t, false
	}
	return time.Date(number(0, 4), time.Month(month), day, hour, minute, second, number(20, 23)*1e6, time.UTC), true
}
