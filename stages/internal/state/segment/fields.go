package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Fields takes a value apart from its front. It takes any bytes: the first field that is not there,
// or not within its bound, is the error that End returns, and all that follow are zero.
type Fields struct {
	rest []byte
	err  error
}

// FieldsOf returns the fields of a value.
func FieldsOf(value []byte) *Fields { return &Fields{rest: value} }

var errShort = errors.New("entry ends early")

// Fail makes err the error of the value, unless it has one.
func (f *Fields) Fail(err error) {
	if f.err == nil && err != nil {
		f.err, f.rest = err, nil
	}
}

// Byte takes one byte.
func (f *Fields) Byte() byte {
	if len(f.rest) == 0 {
		f.Fail(errShort)
		return 0
	}
	b := f.rest[0]
	f.rest = f.rest[1:]
	return b
}

// Version takes a byte that is to be want.
func (f *Fields) Version(want byte) {
	if v := f.Byte(); v != want {
		f.Fail(fmt.Errorf("entry of version %d, this program reads version %d", v, want))
	}
}

// Number takes an unsigned varint of at most this value.
func (f *Fields) Number(most uint64) uint64 {
	v, n := binary.Uvarint(f.rest)
	if n <= 0 || v > most {
		f.Fail(errors.New("entry holds no number where one should be, or too large a one"))
		return 0
	}
	f.rest = f.rest[n:]
	return v
}

// Text takes what AppendText has written.
func (f *Fields) Text() string {
	n := f.Number(uint64(len(f.rest)))
	if n > uint64(len(f.rest)) {
		f.Fail(errShort)
		return ""
	}
	text := string(f.rest[:n])
	f.rest = f.rest[n:]
	return text
}

// AppendText appends the length of s, as a varint, and s.
func AppendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Rest takes all that is left.
func (f *Fields) Rest() []byte {
	rest := f.rest
	f.rest = nil
	return rest
}

// End returns what is wrong with the value: with its fields, or that there is more behind them.
func (f *Fields) End() error {
	if len(f.rest) > 0 {
		f.Fail(fmt.Errorf("entry goes on for %d bytes behind its end", len(f.rest)))
	}
	return f.err
}
