package cdxj

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf16"
)

// MaxLine is the maximum length of a line in bytes, without its newline.
const MaxLine = 64 << 10

// A Line is one capture. The package comment describes its JSON. "" and negative numbers mean
// unknown.
type Line struct {
	Key  string    // see the function Key
	Date time.Time // to the second

	URL, Mime, Status, Digest string
	Length, Offset            int64
	Filename                  string
}

const timestamp = "20060102150405"

// Append appends the line and its newline to b.
func (l *Line) Append(b []byte) []byte {
	b = append(b, l.Key...)
	b = append(b, ' ')
	b = l.Date.UTC().AppendFormat(b, timestamp)
	b = append(b, ' ')
	open := byte('{')
	for _, f := range l.fields() {
		if f.value == "" {
			continue
		}
		b = append(b, open)
		b = append(appendString(b, f.name), ':')
		b = appendString(b, f.value)
		open = ','
	}
	if open == '{' {
		b = append(b, '{')
	}
	return append(b, "}\n"...)
}

type field struct{ name, value string }

func (l *Line) fields() []field {
	return []field{
		{"url", l.URL},
		{"mime", l.Mime},
		{"status", l.Status},
		{"digest", l.Digest},
		{"length", number(l.Length)},
		{"offset", number(l.Offset)},
		{"filename", l.Filename},
	}
}

func number(n int64) string {
	if n < 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// appendString appends s as a JSON string that contains only ASCII.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= 0x20 && r <= 0x7e:
			b = append(b, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(b, '"')
}

var (
	errShape = errors.New("no line of an index: want a key, 14 digits and an object of JSON")
	errLong  = errors.New("a line of more than 64 KiB")
)

// split returns the three parts of a line and checks the first two.
func split(line []byte) (key, date, object []byte, err error) {
	if len(line) > MaxLine {
		return nil, nil, nil, errLong
	}
	key, rest, _ := bytes.Cut(line, []byte(" "))
	date, object, ok := bytes.Cut(rest, []byte(" "))
	if !ok || len(key) == 0 || len(date) != len(timestamp) ||
		!bytes.HasPrefix(object, []byte("{")) || !bytes.HasSuffix(object, []byte("}")) {
		return nil, nil, nil, errShape
	}
	for _, c := range line {
		if c < 0x20 || c > 0x7e {
			return nil, nil, nil, fmt.Errorf("%w in ASCII", errShape)
		}
	}
	return key, date, object, nil
}

// Parse parses a line without its newline.
func Parse(text []byte) (Line, error) {
	key, date, object, err := split(text)
	if err != nil {
		return Line{}, err
	}
	l := Line{Key: string(key)}
	if l.Date, err = time.Parse(timestamp, string(date)); err != nil {
		return Line{}, fmt.Errorf("%w: %w", errShape, err)
	}
	var j struct {
		URL, Mime, Status, Digest, Length, Offset, Filename string
	}
	if err := json.Unmarshal(object, &j); err != nil {
		return Line{}, fmt.Errorf("%w: %w", errShape, err)
	}
	l.URL, l.Mime, l.Status, l.Digest, l.Filename = j.URL, j.Mime, j.Status, j.Digest, j.Filename
	if l.Length, err = count(j.Length); err == nil {
		l.Offset, err = count(j.Offset)
	}
	return l, err
}

// count parses a number of bytes. It returns -1 for "".
func count(s string) (int64, error) {
	if s == "" {
		return -1, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return -1, fmt.Errorf("%w: %q is no number of bytes", errShape, s)
	}
	return n, nil
}
