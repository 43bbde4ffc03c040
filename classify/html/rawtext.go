package html

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// A textKind says how the letters of a text are written.
type textKind uint8

const (
	escaped    textKind = iota // with entities
	rawEscaped                 // in TEXTAREA and TITLE: the same, and NUL means U+FFFD
	rawPlain                   // in SCRIPT and the like: without entities, and NUL means U+FFFD
)

// special gives the name of the element that has begun if there are no tags in it, or other ones,
// "" for all others.
func (l *Lexer) special() string {
	if l.mode&AllMarkup != 0 {
		return ""
	}
	switch string(l.Name()) {
	case "script":
		return "script"
	case "style":
		return "style"
	case "title":
		return "title"
	case "textarea":
		return "textarea"
	case "iframe":
		return "iframe"
	case "xmp":
		return "xmp"
	case "plaintext":
		return "plaintext"
	case "svg":
		return "svg"
	case "math":
		return "math"
	case "template":
		return "template"
	case "noscript", "noframes", "noembed":
		if l.mode&shown != 0 {
			return string(l.Name())
		}
	}
	return ""
}

// rawText reads the content of the element that has begun, up to its end tag. It is true if that is
// a token to give.
func (l *Lexer) rawText() bool {
	rest := l.page[l.at:]
	n := rawEnd(rest, l.raw)
	l.kind = rawPlain
	if l.raw == "textarea" || l.raw == "title" {
		l.kind = rawEscaped
	}
	if len(l.inside) > 0 {
		l.ending = l.raw
	}
	l.text, l.raw = rest[:n], ""
	l.at += n
	return l.texts() && n > 0
}

// rawEnd gives the length of the content of a raw element of that name, up to its end tag or that
// of the page.
func rawEnd(rest []byte, name string) int {
	if name == "plaintext" {
		return len(rest) // which nothing ends
	}
	n := indexEndTag(rest, name)
	if name == "script" && hidesEnd(rest[:n]) {
		return hiddenScriptEnd(rest)
	}
	return n
}

// indexEndTag gives the place of the first end tag of that name, or the length of b.
func indexEndTag(b []byte, name string) int {
	for i := 0; ; {
		n := bytes.Index(b[i:], []byte("</"))
		if n < 0 {
			return len(b)
		}
		i += n + len("</")
		end := i + len(name)
		if end < len(b) && class[b[end]]&endsName != 0 && bytes.EqualFold(b[i:end], []byte(name)) {
			return i - len("</")
		}
	}
}

// hidesEnd tells whether the end tag behind a script may be none: where "<script" stands behind
// "<!--", an end tag ends only that.
func hidesEnd(script []byte) bool {
	_, commented, ok := bytes.Cut(script, []byte("<!--"))
	for ok {
		if _, commented, ok = bytes.Cut(commented, []byte("<")); ok && hasPrefixFold(commented, "script") {
			return true
		}
	}
	return false
}

func hasPrefixFold(b []byte, word string) bool {
	return len(b) >= len(word) && bytes.EqualFold(b[:len(word)], []byte(word))
}

// hiddenScriptEnd is rawEnd for a script of that kind. The rules are long, and such scripts rare:
// the tokenizer knows them.
func hiddenScriptEnd(rest []byte) int {
	z := html.NewTokenizer(io.MultiReader(strings.NewReader("<script>"), bytes.NewReader(rest)))
	z.Next()
	z.Next() // a text, since there is a "<!--" in it
	return len(z.Raw())
}

// newlines undoes the spellings of line ends.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// DecodedText gives the text that was read, at most so many bytes of it, as it is shown.
func (l *Lexer) DecodedText(most int) string {
	text := newlines.Replace(string(l.text[:min(len(l.text), most)]))
	if l.kind != escaped {
		text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	}
	if l.kind != rawPlain {
		text = html.UnescapeString(text)
	}
	return text
}
