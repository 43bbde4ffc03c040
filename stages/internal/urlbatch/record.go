package urlbatch

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"multitext/stages/internal/percent"
)

// Record is one line of a batch. The line is kept as it was read: a stage that only routes a
// record writes the same bytes. The zero Record is not valid.
type Record struct {
	line []byte // without newline
	url  int    // length of the URL
}

// New returns a record of url without attributes. The caller vouches that url is canonical;
// a byte outside 0x21 to 0x7e is escaped, so that the line stays one.
func New(url string) *Record {
	r := &Record{}
	r.SetURL(url)
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

func (r *Record) parse(line []byte) error {
	if len(line) > MaxLine {
		return errTooLong
	}
	url := bytes.IndexByte(line, '\t')
	if url < 0 {
		url = len(line)
	}
	if url == 0 || line[0] == '#' {
		return errNoURL
	}
	for _, c := range line[:url] {
		if c < 0x21 || c > 0x7e {
			return errByte
		}
	}
	for rest := line[url:]; len(rest) > 0; {
		var attr []byte
		attr, rest = cutAttr(rest)
		if err := checkAttr(attr); err != nil {
			return err
		}
	}
	r.line, r.url = line, url
	return nil
}

// cutAttr takes the attribute behind the tab that rest begins with.
func cutAttr(rest []byte) (attr, after []byte) {
	rest = rest[1:]
	if i := bytes.IndexByte(rest, '\t'); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, nil
}

func checkAttr(attr []byte) error {
	eq := bytes.IndexByte(attr, '=')
	if eq <= 0 || !validKey(attr[:eq]) {
		return errAttr
	}
	for _, c := range attr[eq+1:] {
		if c < 0x21 || c > 0x7e {
			return errByte
		}
	}
	return nil
}

func validKey(key []byte) bool {
	for _, c := range key {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return len(key) > 0
}

// URL returns the record's URL.
func (r *Record) URL() string { return string(r.line[:r.url]) }

// URLBytes returns the record's URL without copying it; it must not be changed.
func (r *Record) URLBytes() []byte { return r.line[:r.url] }

// Line returns the line as it will be written, without newline; it must not be changed.
func (r *Record) Line() []byte { return r.line }

// Clone returns a copy that outlives the reader's next record.
func (r *Record) Clone() *Record { return &Record{bytes.Clone(r.line), r.url} }

// SetURL replaces the URL and keeps the attributes.
func (r *Record) SetURL(url string) {
	line := make([]byte, 0, len(url)+len(r.line)-r.url)
	for i := range len(url) {
		if c := url[i]; c >= 0x21 && c <= 0x7e {
			line = append(line, c)
		} else {
			line = percent.Append(line, url[i:i+1])
		}
	}
	n := len(line)
	r.line, r.url = append(line, r.line[r.url:]...), n
}

// find returns where the value of key begins and ends in the line, and where its tab is.
func (r *Record) find(key string) (tab, value, end int, ok bool) {
	for tab = r.url; tab < len(r.line); tab = end {
		end = len(r.line)
		if i := bytes.IndexByte(r.line[tab+1:], '\t'); i >= 0 {
			end = tab + 1 + i
		}
		value = tab + 1 + len(key) + 1
		if value <= end && r.line[value-1] == '=' && string(r.line[tab+1:value-1]) == key {
			return tab, value, end, true
		}
	}
	return 0, 0, 0, false
}

// Get returns the unescaped value of the attribute key, the first if there are several. A
// value with a broken escape is returned as it stands.
func (r *Record) Get(key string) (value string, ok bool) {
	_, from, to, ok := r.find(key)
	if !ok {
		return "", false
	}
	raw := string(r.line[from:to])
	if s, err := percent.Unescape(raw); err == nil {
		return s, true
	}
	return raw, true
}

// Int returns the attribute key as a number, 0 when it is absent or none.
func (r *Record) Int(key string) int64 {
	s, _ := r.Get(key)
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Set gives the attribute key the value, in its place if it is there, else at the end.
// key must be well formed; value may be anything.
func (r *Record) Set(key, value string) {
	tab, _, end, ok := r.find(key)
	if !ok {
		tab, end = len(r.line), len(r.line)
	}
	line := make([]byte, 0, len(r.line)+len(key)+len(value)+2)
	line = append(line, r.line[:tab]...)
	line = append(append(append(line, '\t'), key...), '=')
	line = percent.Append(line, value)
	r.line = append(line, r.line[end:]...)
}

// SetInt is Set for a number.
func (r *Record) SetInt(key string, n int64) { r.Set(key, strconv.FormatInt(n, 10)) }

// Del removes every attribute named by keys.
func (r *Record) Del(keys ...string) {
	var line []byte // nil as long as nothing is removed
	for from := r.url; from < len(r.line); {
		attr, _ := cutAttr(r.line[from:])
		to := from + 1 + len(attr)
		key, _, _ := bytes.Cut(attr, []byte("="))
		switch drop := slices.Contains(keys, string(key)); {
		case drop && line == nil:
			line = append(make([]byte, 0, len(r.line)), r.line[:from]...)
		case !drop && line != nil:
			line = append(line, r.line[from:to]...)
		}
		from = to
	}
	if line != nil {
		r.line = line
	}
}

// shorten removes attributes, the longest first, until the line is within MaxLine. It
// returns false when the URL alone is longer.
func (r *Record) shorten() bool {
	for len(r.line) > MaxLine && r.url < len(r.line) {
		tab, end := r.url, r.url
		for from := r.url; from < len(r.line); {
			attr, _ := cutAttr(r.line[from:])
			to := from + 1 + len(attr)
			if to-from > end-tab {
				tab, end = from, to
			}
			from = to
		}
		r.line = slices.Concat(r.line[:tab], r.line[end:])
	}
	return len(r.line) <= MaxLine
}
