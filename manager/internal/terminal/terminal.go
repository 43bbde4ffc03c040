// Package terminal prints text that may hold control characters, such as names of files and what a
// stage says, so that none of it acts on a terminal.
package terminal

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"unicode"

	"golang.org/x/sys/unix"
)

// Printable escapes what must not reach a terminal raw: control characters, those
// that turn the direction of text, and bytes that are no UTF-8.
func Printable(s string) string {
	raw := func(r rune) bool { return !unicode.IsPrint(r) || r == '\ufffd' }
	if !strings.ContainsFunc(s, raw) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if raw(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Line prints one line, which may hold names.
func Line(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, Printable(fmt.Sprintf(format, args...)))
}

// A Table prints rows in columns. Its cells are made printable.
type Table struct{ w *tabwriter.Writer }

// NewTable begins a table with a row of names, if there are any.
func NewTable(w io.Writer, head ...string) *Table {
	t := &Table{tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)}
	if len(head) > 0 {
		t.Row(head...)
	}
	return t
}

// Row adds a row. Empty cells at its end take no room.
func (t *Table) Row(cells ...string) {
	for i, cell := range cells {
		cells[i] = Printable(cell)
	}
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

// Flush prints the table. A Table without rows prints nothing.
func (t *Table) Flush() { t.w.Flush() }

// listed bounds how many names List prints.
const listed = 20

// List prints names, the first of many, each on a line.
func List[S ~string](w io.Writer, names []S) {
	for _, name := range names[:min(len(names), listed)] {
		Line(w, "  %s", name)
	}
	if more := len(names) - listed; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// Quote prints what a program said, each line behind a bar.
func Quote(w io.Writer, text string) {
	for line := range strings.Lines(text) {
		Line(w, "  | %s", strings.TrimSuffix(line, "\n"))
	}
}

// Is reports whether w is a terminal.
func Is(w io.Writer) bool {
	_, err := size(w)
	return err == nil
}

// Size is the size of the terminal w, or a common one where it is not known.
func Size(w io.Writer) (width, height int) {
	if s, err := size(w); err == nil && s.Col > 0 {
		return int(s.Col), int(s.Row)
	}
	return 80, 24
}

func size(w io.Writer) (*unix.Winsize, error) {
	f, ok := w.(*os.File)
	if !ok {
		return nil, os.ErrInvalid
	}
	return unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
}

// Width returns a function for the width of the terminal w, nil if w is none.
func Width(w io.Writer) func() int {
	if !Is(w) {
		return nil
	}
	return func() int { width, _ := Size(w); return width }
}

// Near names a file as it can be typed in the working directory.
func Near(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(here, path)
	if err != nil || len(rel) > len(path) {
		return path
	}
	return rel
}
