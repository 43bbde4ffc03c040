package urlbatch

import (
	"bytes"
	"errors"
	"strconv"

	"multitext/stages/internal/run/percent"
)

// Record is one line of a batch. The line is kept as it was read: a stage that only routes a
// record writes the same bytes. The zero Record is not valid; Reset makes one of it.
//
// The first change of a record that was read copies its line to memory of the record's own; what
// comes later is done in place. So nothing is allocated for a record that is used again, and what
// URLBytes, Line, Attrs and Raw returned is valid until the record is changed. A Record must not be
// copied but by Clone.
type Record struct {
	line []byte // without newline
	url  int    // length of the URL
	own  []byte // memory of the record, in which line is if mine
	mine bool
}

// New returns a record of url without attributes. The caller vouches that url is canonical;
// a byte outside 0x21 to 0x7e is escaped, so that the line stays one.
func New(url string) *Record {
	own := []byte(url)
	r := &Record{line: own, url: len(own), own: own, mine: true}
	r.escapeURL()
	return r
}

// Parse checks line, which must not hold its newline, and returns its record. The record
// keeps line; it is not copied.
func Parse(line []byte) (*Record, error) {
	r := &Record{}
	if err := r.parse(line); err != nil {
		return nil, err
	}
	return r, nil
}

var (
	errTooLong = errors.New("line longer than 64 KiB")
	errNoURL   = errors.New("no URL at its start")
	errByte    = errors.New("a byte outside 0x21 to 0x7e")
	errAttr    = errors.New("an attribute that is not key=value")
)

// parse goes over the line once: URL, then key and value in turn.
func (r *Record) parse(line []byte) error {
	if len(line) > MaxLine {
		return errTooLong
	}
	if len(line) == 0 || line[0] == '\t' || line[0] == '#' {
		return errNoURL
	}
	url := visible(line)
	for at := url; at < len(line); {
		if line[at] != '\t' {
			return errByte
		}
		at++
		key := at
		for at < len(line) && isKey(line[at]) {
			at++
		}
		if at == key || at == len(line) || line[at] != '=' {
			return errAttr
		}
		at++
		at += visible(line[at:])
	}
	r.line, r.url, r.mine = line, url, false
	return nil
}

func isKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// URL returns the record's URL.
func (r *Record) URL() string { return string(r.line[:r.url]) }

// URLBytes returns the record's URL without copying it; it must not be changed.
func (r *Record) URLBytes() []byte { return r.line[:r.url] }

// Line returns the line as it will be written, without newline; it must not be changed.
func (r *Record) Line() []byte { return r.line }

// Attrs returns the attributes as the line has them, a tab in front of each, for Append; it must
// not be changed.
func (r *Record) Attrs() []byte { return r.line[r.url:] }

// Clone returns a copy that outlives the reader's next record.
func (r *Record) Clone() *Record { return &Record{line: bytes.Clone(r.line), url: r.url} }

// find returns where the value of key begins and ends in the line, and where its tab is.
func (r *Record) find(key string) (tab, value, end int, ok bool) {
	for tab = r.url; tab < len(r.line); tab = end {
		end = r.attrEnd(tab)
		value = tab + 1 + len(key) + 1
		if value <= end && r.line[value-1] == '=' && string(r.line[tab+1:value-1]) == key {
			return tab, value, end, true
		}
	}
	return 0, 0, 0, false
}

// attrEnd returns where the attribute behind the tab at tab ends.
func (r *Record) attrEnd(tab int) int {
	if i := bytes.IndexByte(r.line[tab+1:], '\t'); i >= 0 {
		return tab + 1 + i
	}
	return len(r.line)
}

// Raw returns the value of the attribute key as the line has it, escaped, the first if there are
// several. It must not be changed.
func (r *Record) Raw(key string) (value []byte, ok bool) {
	_, from, to, ok := r.find(key)
	return r.line[from:to], ok
}

// Get returns the unescaped value of the attribute key, the first if there are several. A value
// with a broken escape is returned unchanged.
func (r *Record) Get(key string) (value string, ok bool) {
	b, ok := r.Raw(key)
	raw := string(b)
	if s, err := percent.Unescape(raw); err == nil {
		return s, ok
	}
	return raw, ok
}

// Int returns the attribute key as a number, or 0 when it is absent or none.
func (r *Record) Int(key string) int64 {
	raw, ok := r.Raw(key)
	if !ok {
		return 0
	}
	n := int64(0)
	for _, c := range raw {
		if c < '0' || c > '9' || len(raw) > 18 {
			return r.signedOrEscaped(key)
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

// signedOrEscaped is Int for what is no short row of digits.
func (r *Record) signedOrEscaped(key string) int64 {
	text, _ := r.Get(key)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
