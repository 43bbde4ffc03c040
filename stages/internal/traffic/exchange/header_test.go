package exchange

import (
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"
)

// FuzzFields holds the list of fields to what a map under canonical names has, as net/http keeps it.
func FuzzFields(f *testing.F) {
	f.Add("Content-Type: text/html\r\ncontent-LENGTH: 5\r\n\r\n", "Content-Length")
	f.Add(" folded before any\r\nA: b\r\n c\r\nnonsense\r\n\td\r\n: nameless\r\n e\r\nA: f\n\n", "a")
	f.Add("Connection: Keep-Alive, close\r\r\n\u212aeep: x\r\nA B: c\r\na b: d\r\n", "A B")
	f.Fuzz(func(t *testing.T, text, name string) {
		got, want := parseFields(text), fieldsByMap(text)
		names := []string{"Connection", "Content-Length", "Transfer-Encoding"}
		for _, one := range got {
			names = append(names, one.name)
		}
		for _, n := range names {
			if canonical := textproto.CanonicalMIMEHeaderKey(n); token(canonical) && !slices.Equal(slices.Collect(got.Values(n)), want[canonical]) {
				t.Errorf("%q: %q, want %q in %q", n, slices.Collect(got.Values(n)), want[canonical], text)
			}
		}
		all := 0
		for _, values := range want {
			all += len(values)
		}
		if len(got) != all {
			t.Errorf("%d fields, want %d in %q", len(got), all, text)
		}
	})
}

// token tells whether s can be the name of a field.
func token(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// fieldsByMap is the plain way.
func fieldsByMap(text string) http.Header {
	h, name, value := http.Header{}, "", []string(nil)
	end := func() {
		if name != "" {
			h[name] = append(h[name], strings.Join(value, " "))
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && (line[0] == ' ' || line[0] == '\t') {
			value = append(value, strings.TrimSpace(line))
			continue
		}
		key, first, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		end()
		name, value = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(key)), []string{strings.TrimSpace(first)}
	}
	end()
	return h
}

func TestHeaderWords(t *testing.T) {
	h := parseFields("Connection: x, Close\r\nVia: a\r\nLink: y\r\nTransfer-Encoding: gzip,\r\nTRANSFER-encoding: chunked\r\n\r\n")
	if !h.hasWord("connection", "close") || h.hasWord("Connection", "a") || h.has("Lin\u212a") {
		t.Errorf("words of Connection in %q", h)
	}
	if got := h.lastWord("Transfer-Encoding"); got != "chunked" {
		t.Errorf("last coding %q, want chunked", got)
	}
	if got := h.Get("Transfer-Encoding"); got != "gzip," || h.Get("None") != "" {
		t.Errorf("first value %q, none %q", got, h.Get("None"))
	}
}
