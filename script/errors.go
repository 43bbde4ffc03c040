package script

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Errors contains every error of one script, in file order. An Errors that is returned as an error
// is never empty.
type Errors []*Error

// An Error is one error in a script, with its position.
type Error struct {
	File   string // as given to Load or Parse
	Line   int    // from 1
	Col    int    // in bytes, from 1
	Msg    string // what is wrong
	Hint   string // what to do about it, may be empty
	Source string // the line, without its line end
}

// maxErrors is the maximum number of errors that are reported for one script.
const maxErrors = 100

// Error prints every error with its line and a caret. There is no line feed
// at the end.
func (e Errors) Error() string {
	parts := make([]string, len(e))
	for i, one := range e {
		parts[i] = one.Error()
	}
	return strings.Join(parts, "\n")
}

// Error prints file:line:col, the message and the hint on one line, then the source line, then a
// caret below the column. It replaces characters that a terminal would interpret.
func (e *Error) Error() string {
	head := fmt.Sprintf("%s:%d:%d: %s", printable(e.File), e.Line, e.Col, printable(e.Msg))
	if e.Hint != "" {
		head += "; " + printable(e.Hint)
	}
	line, caret := excerpt(e.Source, e.Col-1)
	return head + "\n    " + line + "\n    " + caret
}

// excerpt returns the part of a line around the byte at col, and a second line with a caret below
// it.
func excerpt(line string, col int) (part, caret string) {
	const before, after = 100, 60
	col = min(max(col, 0), len(line))
	head, tail := printable(line[:col]), printable(line[col:])
	if r := []rune(head); len(r) > before {
		head = "…" + string(r[len(r)-before:])
	}
	if r := []rune(tail); len(r) > after {
		tail = string(r[:after]) + "…"
	}
	margin := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, head)
	return head + tail, margin + "^"
}

// printable replaces every character that is neither a tab nor visible.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// A reporter collects the errors of one text.
type reporter struct {
	file string
	text []byte
	errs Errors
}

// offset returns the byte offset of a line and a column, which count from 1.
func (r *reporter) offset(line, col int) int {
	at := 0
	for range line - 1 {
		at += bytes.IndexByte(r.text[at:], '\n') + 1
	}
	return at + col - 1
}

// report adds an error at a byte offset of the text. It drops a second error at the same position,
// because that is usually a consequence of the first. The start of the text is an exception,
// because all errors about missing keys are reported there.
func (r *reporter) report(at int, msg, hint string) {
	at = min(max(at, 0), len(r.text))
	begin := bytes.LastIndexByte(r.text[:at], '\n') + 1
	line, _, _ := bytes.Cut(r.text[begin:], []byte("\n"))
	e := &Error{
		File:   r.file,
		Line:   bytes.Count(r.text[:at], []byte("\n")) + 1,
		Col:    at - begin + 1,
		Msg:    msg,
		Hint:   hint,
		Source: strings.TrimSuffix(string(line), "\r"),
	}
	same := func(o *Error) bool { return at > 0 && o.Line == e.Line && o.Col == e.Col }
	if len(r.errs) <= maxErrors && !slices.ContainsFunc(r.errs, same) {
		r.errs = append(r.errs, e)
	}
}

// err returns the errors in file order, or nil if there are none.
func (r *reporter) err() error {
	if len(r.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(r.errs, func(a, b *Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	if len(r.errs) > maxErrors {
		r.errs = r.errs[:maxErrors]
		r.errs[maxErrors-1].Hint = "there are more errors than are shown"
	}
	return r.errs
}
