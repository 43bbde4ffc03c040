package html

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// A textKind is the way in which the characters of a text are written.
type textKind uint8

const (
	escaped    textKind = iota // with entities
	rawEscaped                 // in TEXTAREA and TITLE: the same, but NUL means U+FFFD
	rawPlain                   // in SCRIPT and the like: without entities, and NUL means U+FFFD
)

// special reports whether the element that has begun contains no tags, or is read by other rules.
func (l *Lexer) special() bool {
	switch string(l.Name()) {
	case "script", "style", "title", "textarea", "iframe", "xmp", "plaintext", "svg", "math", "template":
		return l.mode&AllMarkup == 0
	case "noscript", "noframes", "noembed":
		return l.mode&Shown != 0
	}
	return false
}

// isHidden reports whether the text in an element with this name is not shown.
func isHidden(name []byte) bool {
	switch string(name) {
	case "script", "style", "noscript", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

// rawText reads the content of the element that has begun, up to its end tag. It reports whether
// the content is a token to return.
func (l *Lexer) rawText() bool {
	rest, name := l.page[l.at:], l.Name()
	l.text, l.kind = rest[:rawEnd(rest, name)], rawPlain
	if string(name) == "textarea" || string(name) == "title" {
		l.kind = rawEscaped
	}
	l.at += len(l.text)
	l.raw, l.ended = false, len(l.inside) > 0
	return len(l.text) > 0 && l.wantsText()
}

// rawEnd returns the length of the content of a raw element with this name, up to its end tag or
// the end of the page.
func rawEnd(rest, name []byte) int {
	if string(name) == "plaintext" {
		return len(rest) // no end tag
	}
	n := indexEndTag(rest, name)
	if string(name) == "script" && hidesEnd(rest[:n]) {
		return hiddenScriptEnd(rest)
	}
	return n
}

// indexEndTag returns the position of the first end tag with this name, or the length of b.
func indexEndTag(b, name []byte) int {
	for i := 0; ; {
		n := bytes.Index(b[i:], []byte("</"))
		if n < 0 {
			return len(b)
		}
		i += n + len("</")
		end := i + len(name)
		if end < len(b) && class[b[end]]&endsName != 0 && bytes.EqualFold(b[i:end], name) {
			return i - len("</")
		}
	}
}

// hidesEnd reports whether the end tag after a script may not count. If "<script" follows "<!--",
// an end tag ends only that inner script.
func hidesEnd(script []byte) bool {
	_, commented, ok := bytes.Cut(script, []byte("<!--"))
	for ok {
		const word = "script"
		_, commented, ok = bytes.Cut(commented, []byte("<"))
		if len(commented) >= len(word) && bytes.EqualFold(commented[:len(word)], []byte(word)) {
			return ok
		}
	}
	return false
}

// hiddenScriptEnd does the same as rawEnd for such a script. The rules are long, and such scripts
// are rare, so it uses the tokenizer.
func hiddenScriptEnd(rest []byte) int {
	z := html.NewTokenizer(io.MultiReader(strings.NewReader("<script>"), bytes.NewReader(rest)))
	z.Next()
	z.Next() // a text, since there is a "<!--" in it
	return len(z.Raw())
}

// newlines replaces other forms of line ends by "\n".
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// DecodedText returns the current text as a browser shows it. It reads at most the first most
// bytes.
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
