package waiting

import (
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
)

// TestLines: a record is what it was, wherever its host's name is in it.
func TestLines(t *testing.T) {
	const host = "www.a.test"
	for line, size := range map[string]int{
		"http://www.a.test/x\tdepth=1\tvia=http://www.a.test/":   19,
		"https://www.a.test/x\tvia=http://www.a.test/":           11,
		"http://www.a.test:8080/x\tvia=https://www.a.test:8443/": 21,
		"http://www.a.test/?u=http://www.a.test/?u=https://w":    20,
		"http://www.a.testing/\tvia=http://www.b.test/":          29,
		"ftp://www.a.test/\tvia=x://www.a.test/":                 38,
		"http://":                                                8,
	} {
		short := appendLine(nil, []byte(host), []byte(line))
		if len(short) != size {
			t.Errorf("%q takes %d bytes, want %d", line, len(short), size)
		}
		if back := longLine(nil, host, short[:len(short)-1]); string(back) != line {
			t.Errorf("%q came back as %q", line, back)
		}
	}
}

// TestForgedChunk: what a packed chunk says of its length is held against a bound before it is
// unpacked.
func TestForgedChunk(t *testing.T) {
	lines := []byte(strings.Repeat("\x01/\n", 100))
	bomb := s2.Encode(nil, make([]byte, 64<<20))
	for name, c := range map[string]chunk{
		"as it is":       {n: 100, last: 99, form: packed, size: len(lines), lines: s2.Encode(nil, lines)},
		"a bomb":         {n: 100, last: 99, form: packed, size: longest + 1, lines: bomb},
		"a silent bomb":  {n: 100, last: 99, form: packed, size: 300, lines: bomb},
		"a wrong length": {n: 100, last: 99, form: packed, size: len(lines) - 1, lines: s2.Encode(nil, lines)},
		"cut":            {n: 100, last: 99, form: packed, size: len(lines), lines: s2.Encode(nil, lines)[:9]},
		"no form":        {n: 100, last: 99, form: 2, size: len(lines), lines: lines},
		"many URLs":      {n: 101, last: 99, form: plain, size: len(lines), lines: lines},
		"few lines":      {n: 99, last: 99, form: plain, size: len(lines), lines: lines},
	} {
		if err := verifyChunk(99, c.append(nil)); (err == nil) != (name == "as it is") ||
			err != nil && !errors.Is(err, errChunk) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
