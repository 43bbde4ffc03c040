package txlog

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// origin takes the place of the previous checksum in the first line.
const origin = "0000000000000000"

// chain returns the checksum of a line in 16 hex digits: XXH64 over the checksum of the previous
// line, as text, and the body.
func chain(previous string, body []byte) string {
	var h xxhash.Digest
	h.Reset()
	h.WriteString(previous)
	h.Write(body)
	var sum [8]byte
	return hex.EncodeToString(h.Sum(sum[:0]))
}

var errNoEnd = errors.New("the line has no end")

// verify checks every byte of a line and returns its body and its checksum.
func (rp *Replay) verify(raw []byte) (body []byte, sum string, err error) {
	if len(raw) == 0 || raw[len(raw)-1] != '\n' {
		return nil, "", errNoEnd
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

// swallows reports whether a bad last line contains a good line. Then the newline between them was
// damaged, and two durable lines would count as one torn line.
func swallows(raw []byte) bool {
	if len(raw) < 17 || raw[len(raw)-1] != '\n' {
		return false
	}
	for p := 17; p+17 < len(raw); p++ {
		sum := string(raw[p : p+16])
		if raw[p+16] == ' ' && strings.Trim(sum, "0123456789abcdef") == "" &&
			chain(string(raw[:16]), raw[p+17:len(raw)-1]) == sum {
			return true
		}
	}
	return false
}
