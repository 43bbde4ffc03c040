package txlog

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"
)

// A reader takes the body of a line apart as it goes, field by field and value by
// value, and copies only what is asked for: a start may have millions of lines to
// read. It keeps the first error. A value that is cut short or escaped wrongly is one
// even where nobody asks for it.
type reader struct {
	kind    []byte
	key     []byte // of the field it stands at
	values  []byte // of that, those not yet taken
	left    bool   // there is one, if only an empty one
	fields  []byte // behind it
	more    bool   // there is one
	escaped bool   // something in the line is
	err     error
	raw     []byte             // the value taken last, where it was escaped
	clock   clock              // reads times
	known   [knownWords]string // met before, so that each is copied once
	live    map[Name]*Batch    // whose names need no copy, and were checked before
}

// knownWords is how many words are remembered, maxWord how long they may be: names of
// stages, counters and flags are few and short.
const knownWords, maxWord = 256, 40

// begin goes to the beginning of a line.
func (r *reader) begin(body []byte) {
	r.kind, r.fields, r.more = cut(body, '\t')
	r.key, r.values, r.left, r.err = nil, nil, false, nil
	r.escaped = bytes.IndexByte(body, '%') >= 0
}

// cut is bytes.Cut by one byte.
func cut(text []byte, by byte) (before, after []byte, found bool) {
	if i := bytes.IndexByte(text, by); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, nil, false
}

// next goes on to the next field, false where there is none or an error was met.
func (r *reader) next() bool {
	if r.left {
		r.unknown()
	}
	if !r.more || r.err != nil {
		return false
	}
	var text []byte
	text, r.fields, r.more = cut(r.fields, '\t')
	for i, c := range text { // keys are short
		if c == '=' {
			r.key, r.values, r.left = text[:i], text[i+1:], true
			return true
		}
	}
	r.key = text
	r.fail(fmt.Errorf("%.40q has no value", text))
	return false
}

// skip passes over the values that nobody asks for.
func (r *reader) skip() {
	if r.left && r.escaped && r.err == nil && !wellEscaped(r.values) {
		r.fail(fmt.Errorf("bad escape in %.80q", r.values))
	}
	r.left = false
}

// only goes to the field that a line of one field has.
func (r *reader) only(key string) {
	if r.next() && string(r.key) != key {
		r.unknown()
	}
}

// end refuses the fields that were not read, and returns the first error.
func (r *reader) end() error {
	if r.next() {
		r.unknown()
	}
	return r.err
}

func (r *reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("field %s: %w", r.key, err)
	}
}

// unknown refuses the field, or one of its values: a newer program wrote it, and its
// meaning may change what is live.
func (r *reader) unknown() { r.fail(errors.New("unknown to this version of the log")) }

// take is the next value, good until the next one is taken.
func (r *reader) take() (value []byte) {
	if !r.left {
		r.fail(errors.New("it has fewer values than it should"))
		return nil
	}
	value, r.values, r.left = cut(r.values, ' ')
	if len(value) == 1 && value[0] == '-' {
		return nil
	}
	if !r.escaped || bytes.IndexByte(value, '%') < 0 {
		return value
	}
	var ok bool
	if r.raw, ok = appendUnescaped(r.raw[:0], value); !ok {
		r.fail(fmt.Errorf("bad escape in %.80q", value))
	}
	return r.raw
}

func (r *reader) text() string { return string(r.take()) }

// word is a text that many lines have.
func (r *reader) word() string {
	value := r.take()
	if len(value) > maxWord {
		return string(value)
	}
	known := &r.known[xxhash.Sum64(value)%knownWords] // two at one place take turns
	if *known != string(value) {
		*known = string(value)
	}
	return *known
}

// words are all values that are left.
func (r *reader) words() (all []string) {
	if r.left {
		all = make([]string, 0, bytes.Count(r.values, []byte{' '})+1)
	}
	for r.left {
		all = append(all, r.word())
	}
	return all
}

func (r *reader) int() int64 {
	if n, size := digits(r.values); r.pass(size) {
		return n
	}
	n, err := strconv.ParseInt(string(r.take()), 10, 64)
	r.fail(err)
	return n
}

// time reads what formatTime writes, and whatever else time.Parse takes for it.
func (r *reader) time() time.Time {
	if t, size := r.clock.read(r.values); r.pass(size) {
		return t
	}
	value := r.take()
	if len(value) == 0 {
		return time.Time{}
	}
	t, err := time.Parse(timeForm, string(value))
	r.fail(err)
	return t
}

// pass passes over the next value, of size bytes that were read already. It refuses
// where that is not all of the value, or nothing.
func (r *reader) pass(size int) bool {
	switch {
	case size == 0 || size < len(r.values) && r.values[size] != ' ':
		return false
	case size == len(r.values):
		r.values, r.left = nil, false
	default:
		r.values = r.values[size+1:]
	}
	return true
}

func (r *reader) name() Name {
	n := Name(r.take())
	r.fail(n.check())
	return n
}

// liveName is the name of a batch that is most likely live: then it was checked and
// copied when it came.
func (r *reader) liveName() Name {
	value := r.take()
	if b := r.live[Name(value)]; b != nil {
		return b.Name
	}
	n := Name(value)
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

// either takes one of two words, and reports whether it is the first.
func (r *reader) either(yes, no string) bool {
	word := r.take()
	if string(word) != yes && string(word) != no {
		r.unknown()
	}
	return string(word) == yes
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

// digits reads the number at the beginning of a text, of nothing but digits and few
// enough that it fits, and how many they are: none where there is no such number.
func digits[T ~string | ~[]byte](text T) (n int64, size int) {
	for size < len(text) && size < 18 && text[size] >= '0' && text[size] <= '9' {
		n = n*10 + int64(text[size]-'0')
		size++
	}
	return n, size
}
