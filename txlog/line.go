package txlog

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// A codec writes or reads the fields of one line, `kind\tkey=value value\tkey=…`. One function
// describes the fields of a line for both directions. A codec keeps the first error.
type codec struct {
	writing bool
	buf     []byte // the line that is written, or the value read last if it was escaped
	begun   bool   // the codec is within the values of a field

	key    []byte // key of the field that is read; nil after the last
	values []byte // its values that are not read yet
	left   bool   // there is another value, which may be empty
	fields []byte // the fields after it
	more   bool   // there is another field
	lacks  string // the first missing field among those that must exist
	err    error
}

// compose returns the body of a line.
func compose(kind string, fields func(*codec)) []byte {
	c := &codec{writing: true, buf: []byte(kind)}
	fields(c)
	return c.buf
}

// kindOf returns the kind of a line.
func kindOf(body []byte) string {
	kind, _, _ := bytes.Cut(body, []byte{'\t'})
	return string(kind)
}

// parse reads the fields of a line, in the order in which they are written. It refuses an unknown
// field, because a newer program wrote it and its meaning may change what is live.
func parse(body []byte, fields func(*codec)) error {
	c := &codec{}
	_, c.fields, c.more = bytes.Cut(body, []byte{'\t'})
	c.next()
	fields(c)
	if c.close(); c.key != nil {
		c.unknown()
	}
	if c.err == nil && c.lacks != "" {
		return fmt.Errorf("it has no field %s", c.lacks)
	}
	return c.err
}

// next moves on to the next field.
func (c *codec) next() {
	c.begun, c.key, c.left = false, nil, false
	if !c.more {
		return
	}
	var text []byte
	text, c.fields, c.more = bytes.Cut(c.fields, []byte{'\t'})
	if c.key, c.values, c.left = bytes.Cut(text, []byte{'='}); !c.left {
		c.fail(fmt.Errorf("%.40q has no value", text))
	}
}

// close ends a field whose values were read.
func (c *codec) close() {
	if c.begun {
		if c.left {
			c.unknown()
		}
		c.next()
	}
}

// field begins a field. It reports whether the values of the field come next: when writing, if set
// is true; when reading, if the field exists. A field that is always set must exist.
func (c *codec) field(key string, set bool) bool {
	if c.writing {
		if set {
			c.buf = append(append(append(c.buf, '\t'), key...), '=')
			c.begun = false
		}
		return set
	}
	if c.close(); c.err != nil || string(c.key) != key {
		if set && c.lacks == "" {
			c.lacks = key
		}
		return false
	}
	c.begun = true
	return true
}

// another reports whether the field has another value.
func (c *codec) another(set bool) bool { return c.writing && set || !c.writing && c.left }

func (c *codec) fail(err error) {
	if c.err == nil && err != nil {
		c.err = fmt.Errorf("field %s: %w", c.key, err)
	}
}

func (c *codec) unknown() { c.fail(errors.New("unknown to this version of the log")) }

// put writes the next value.
func (c *codec) put(value string) {
	if c.begun {
		c.buf = append(c.buf, ' ')
	}
	c.begun = true
	c.buf = appendEscaped(c.buf, value)
}

// take reads the next value, which is valid until the following one is read.
func (c *codec) take() (value []byte) {
	if !c.left {
		c.fail(errors.New("it has too few values"))
		return nil
	}
	value, c.values, c.left = bytes.Cut(c.values, []byte{' '})
	if string(value) == "-" {
		return nil
	}
	if bytes.IndexByte(value, '%') < 0 {
		return value
	}
	var ok bool
	if c.buf, ok = appendUnescaped(c.buf[:0], value); !ok {
		c.fail(fmt.Errorf("bad escape in %.80q", value))
	}
	return c.buf
}

// appendEscaped appends a value without white space, control characters and characters beyond
// ASCII. The empty value becomes a single "-".
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	if s == "" {
		return append(dst, '-')
	}
	if s == "-" {
		return append(dst, "%2d"...)
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c > 0x20 && c < 0x7f && c != '%' {
			dst = append(dst, c)
			continue
		}
		dst = append(dst, '%', hex[c>>4], hex[c&15])
	}
	return dst
}

// appendUnescaped reverses appendEscaped, except for the empty value.
func appendUnescaped(dst, value []byte) (_ []byte, ok bool) {
	for {
		plain, rest, escaped := bytes.Cut(value, []byte{'%'})
		if dst = append(dst, plain...); !escaped {
			return dst, true
		}
		if len(rest) < 2 {
			return dst, false
		}
		n, err := strconv.ParseUint(string(rest[:2]), 16, 8)
		if err != nil {
			return dst, false
		}
		dst, value = append(dst, byte(n)), rest[2:]
	}
}
