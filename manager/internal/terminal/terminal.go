// Package terminal prints text that may contain control characters, such as file names and the
// output of stages. It escapes them, so that the terminal does not interpret them.
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

// Printable escapes what must not reach a terminal raw: control characters, characters that change
// the direction of text, and bytes that are not UTF-8.
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

// Line prints one line, which may contain untrusted names.
func Line(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, Printable(fmt.Sprintf(format, args...)))
}

// A Table prints rows in columns. It makes its cells printable.
type Table struct{ w *tabwriter.Writer }

// NewTable returns a table. Its first row contains the names of the columns, if any.
func NewTable(w io.Writer, head ...string) *Table {
	t := &Table{tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)}
	if len(head) > 0 {
		t.Row(head...)
	}
	return t
}

// Row adds a row. Empty cells at its end take no space.
func (t *Table) Row(cells ...string) {
	for i, cell := range cells {
		cells[i] = Printable(cell)
	}
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

// Flush prints the table. A Table without rows prints nothing.
func (t *Table) Flush() { t.w.Flush() }

// listed is the maximum number of names that List prints.
const listed = 20

// List prints names, each on a line. If there are many, it prints only the first ones.
func List[S ~string](w io.Writer, names []S) {
	for _, name := range names[:min(len(names), listed)] {
		Line(w, "  %s", name)
	}
	if more := len(names) - listed; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// Quote prints the output of a program, each line after a bar.
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

// Size returns the size of the terminal w, or a common size if it is unknown.
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

// Width returns a function for the width of the terminal w, or nil if w is not a terminal.
func Width(w io.Writer) func() int {
	if !Is(w) {
		return nil
	}
	return func() int { width, _ := Size(w); return width }
}

// Near returns a path relative to the working directory, or the absolute path if that is shorter.
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
