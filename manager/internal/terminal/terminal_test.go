package terminal

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"plain → ünïcode":      "plain → ünïcode",
		"\x1b[2Jclear":         `\x1b[2Jclear`,
		"a\tb\r\nc\x7f\x00":    `a\x09b\x0d\x0ac\x7f\x00`,
		"right \u202e to left": `right \x202e to left`,
		"\u200b\u0085":         `\x200b\x85`,
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Printable("bad \xff\xfe utf-8"); strings.ContainsAny(got, "\xff\xfe\ufffd") {
		t.Errorf("bytes that are no UTF-8 became %q", got)
	}
}

func TestCopy(t *testing.T) {
	var buf bytes.Buffer
	out := bufio.NewWriter(&buf)
	in := "a\tb\r\n\x1b]0;owned\x07 é \xff\xc3( \u202e\u2066 \ufffd\x9b"
	if err := Copy(out, strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	out.Flush()
	want := "a\tb\\x0d\n\\x1b]0;owned\\x07 é \\xff\\xc3( \\x202e\\x2066 \\xfffd\\x9b"
	if got := buf.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// -w never scrolls: what is too high or too wide for the terminal is cut.
func TestRedrawn(t *testing.T) {
	got := Redrawn("one\ntwo is long\nthree\nfour\n", 5, 4)
	if want := "\x1b[Hone\x1b[K\r\ntwo i\x1b[K\r\n…\x1b[K\r\n\x1b[J"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Redrawn("one\n", 80, 24); got != "\x1b[Hone\x1b[K\r\n\x1b[J" {
		t.Errorf("got %q", got)
	}
}

// Whatever a cell holds, it stays in its column and its row.
func TestTableIsPrintable(t *testing.T) {
	var b strings.Builder
	tab := NewTable(&b, "A", "B")
	tab.Row("x\ty\n\x1b[2J", "z")
	tab.Flush()
	if got, want := b.String(), "A                  B\nx\\x09y\\x0a\\x1b[2J  z\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
