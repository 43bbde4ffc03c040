package stage

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"multitext/stages/internal/run/keyed"
)

type laterError struct{ err error }

func (e *laterError) Error() string { return e.err.Error() }
func (e *laterError) Unwrap() error { return e.err }

// TryLater marks err as "not now": the stage exits with 75, and the manager starts it again later
// with the same inputs, without counting a failure.
func TryLater(err error) error { return &laterError{err} }

type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// Usagef returns an error of the command line: the stage exits with 2 and points to -h.
func Usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// fail prints err and returns its exit code.
func fail(stderr io.Writer, tool Tool, err error) int {
	fmt.Fprintf(stderr, "%s: %s\n", tool.Name, printable(err.Error()))
	var later *laterError
	var usage *usageError
	switch {
	case errors.As(err, &later):
		return ExitLater
	case errors.Is(err, keyed.ErrSecret):
		return ExitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s -h shows the flags\n", tool.Name)
		return ExitUsage
	}
	return ExitFailed
}

// printable escapes control characters, because an error may contain untrusted text.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}
