package httphead

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// FuzzParse compares Parse with the plainest way of reading header lines.
func FuzzParse(f *testing.F) {
	f.Add("Content-Type: text/html\r\ncontent-LENGTH: 5\r\n\r\n")
	f.Add(" folded before any\r\nA: b\r\n c\r\nnonsense\r\n\td\r\n: nameless\r\n e\r\nA: f\n\n")
	f.Add("A: b\r\nC:d \r\n\te\r\n: empty\nno colon\n f\r\n\u00a0G :\u2003h\u0085\r\n")
	f.Add("Connection: Keep-Alive, close\r\r\n\u212aeep: x\r\nA B: c\r\na b: d\r\nA:\r\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := Fields(nil).Parse(text), fieldsBySteps(text); !slices.Equal(got, want) {
			t.Errorf("%q, want %q in %q", got, want, text)
		}
	})
}

func fieldsBySteps(text string) (f Fields) {
	open := false
	for line := range strings.Lines(text) {
		if line[0] == ' ' || line[0] == '\t' {
			if open {
				f[len(f)-1].Value += " " + strings.TrimSpace(line)
			}
			continue
		}
		if name, value, ok := strings.Cut(line, ":"); ok {
			if open = strings.TrimSpace(name) != ""; open {
				f = append(f, Field{strings.TrimSpace(name), strings.TrimSpace(value)})
			}
		}
	}
	for i := range f {
		f[i].Value = strings.TrimSpace(f[i].Value)
	}
	return f
}

func TestWords(t *testing.T) {
	f := Fields(nil).Parse("Connection: x, Close\r\nVia: a\r\nLink: y\r\nTransfer-Encoding:" +
		" gzip,\r\nTRANSFER-encoding: chunked\r\n\r\n")
	if !f.HasWord("connection", "close") || f.HasWord("Connection", "a") || f.Values("Lin\u212a") != nil {
		t.Errorf("words of Connection in %q", f)
	}
	if got := f.LastWord("Transfer-Encoding"); got != "chunked" || f.LastWord("None") != "" {
		t.Errorf("last coding %q, want chunked", got)
	}
	if got := f.Get("Transfer-Encoding"); got != "gzip," || f.Get("None") != "" {
		t.Errorf("first value %q, none %q", got, f.Get("None"))
	}
}

// TestFoldedLines checks that a field of very many lines costs no more than its length.
func TestFoldedLines(t *testing.T) {
	header := "A: b\n" + strings.Repeat(" c\n", 80_000) + "D: e\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := Fields(nil).Parse(header)
	runtime.ReadMemStats(&after)
	if len(f) != 2 || f[0].Value != "b"+strings.Repeat(" c", 80_000) || f[1] != (Field{"D", "e"}) {
		t.Errorf("%d fields, the first of %d bytes", len(f), len(f[0].Value))
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("%d bytes of memory for a header of %d", n, len(header))
	}
}
