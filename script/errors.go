package script

import (
	"fmt"
	"strings"
)

// Errors is every error of one script, in file order. It is never empty when
// it is returned as an error.
type Errors []*Error

// An Error is one thing that is wrong with a script, and where.
type Error struct {
	File   string // as given to Load or Parse
	Line   int    // from 1
	Col    int    // in bytes, from 1
	Msg    string // what is wrong
	Hint   string // what to do, may be empty
	Source string // the line, without its line feed
}

// Error prints every error with its line and a caret.
func (e Errors) Error() string {
	parts := make([]string, len(e))
	for i, one := range e {
		parts[i] = one.Error()
	}
	return strings.Join(parts, "\n")
}

// Error prints file:line:col, message and hint, then the source line and a
// caret below the column.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}
