package txlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// maxLine bounds one line: a transaction of 1,000 inputs and as many outputs
// stays far below it.
const maxLine = 64 << 20

// origin stands in for the checksum of the line before the first.
const origin = "0000000000000000"

// chain is the checksum of a line: XXH64 over the checksum of the line before,
// as text, and the body. It is printed as 16 hex digits.
func chain(previous string, body []byte) string {
	var h xxhash.Digest
	h.Reset()
	h.WriteString(previous)
	h.Write(body)
	const hex = "0123456789abcdef"
	var text [16]byte
	for i, sum := len(text)-1, h.Sum64(); i >= 0; i, sum = i-1, sum>>4 {
		text[i] = hex[sum&15]
	}
	return string(text[:])
}

// readLine returns the next line with its newline; without one at the end of
// the file, together with io.EOF. The slice is good until the next call.
func readLine(in *bufio.Reader) ([]byte, error) {
	raw, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return raw, err
	}
	long := bytes.Clone(raw)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(long) > maxLine {
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		}
		raw, err = in.ReadSlice('\n')
		long = append(long, raw...)
	}
	return long, err
}

// verify checks every byte of a line and returns its body and its checksum.
func (rp *Replay) verify(raw []byte) (body []byte, sum string, err error) {
	if len(raw) == 0 || raw[len(raw)-1] != '\n' {
		return nil, "", errors.New("the line has no end")
	}
	if len(raw) < 18 || raw[16] != ' ' {
		return nil, "", errors.New("the line has no checksum")
	}
	body = raw[17 : len(raw)-1]
	if sum = chain(rp.sum, body); sum != string(raw[:16]) {
		return nil, "", fmt.Errorf("checksum %q, want %s", raw[:16], sum)
	}
	return body, sum, nil
}

// swallows reports whether a bad last line holds a good one behind it: then its
// newline was damaged, and two promised lines would pass for one torn one.
func swallows(raw []byte) bool {
	if len(raw) < 17 || raw[len(raw)-1] != '\n' {
		return false
	}
	for p := 17; p+17 < len(raw); p++ {
		sum := string(raw[p : p+16])
		if raw[p+16] == ' ' && strings.Trim(sum, "0123456789abcdef") == "" && chain(string(raw[:16]), raw[p+17:len(raw)-1]) == sum {
			return true
		}
	}
	return false
}
