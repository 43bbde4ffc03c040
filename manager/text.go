package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/progress"
)

// A table prints rows in columns. Its cells are made printable.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer, head ...string) *table {
	t := &table{tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)}
	if len(head) > 0 {
		t.row(head...)
	}
	return t
}

func (t *table) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = progress.Printable(cell)
	}
	fmt.Fprintln(t.w, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

func (t *table) flush() { t.w.Flush() }

// line prints one line that may hold names.
func line(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, progress.Printable(fmt.Sprintf(format, args...)))
}

// stamp prints a time for people, "-" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

// instant prints a time for programs, "-" for none.
func instant(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// until prints a time to come and how far off it is, "-" for none.
func until(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	if !t.After(now) {
		return "now"
	}
	return fmt.Sprintf("%s (in %s)", t.Local().Format("15:04:05"), figure.Span(t.Sub(now)))
}

// age prints how long ago a time was, "-" for none.
func age(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return figure.Span(max(now.Sub(t), 0))
}

// cpu prints seconds of CPU, "-" for none.
func cpu(seconds float64) string {
	if seconds == 0 {
		return "-"
	}
	return figure.Span(time.Duration(seconds * float64(time.Second)))
}

// size prints bytes, "-" for 0.
func size(n int64) string {
	if n == 0 {
		return "-"
	}
	return figure.Bytes(n)
}

// counted prints a number that may be unknown.
func counted(n *int64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatInt(*n, 10)
}

// number prints a number, "-" for 0: so a table shows what there is.
func number[T int | int64](n T) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(int64(n), 10)
}

// dash prints "-" for nothing.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// near names a file as it can be typed here.
func near(path string) string {
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

// terminal returns the descriptor of w where it is one.
func terminal(w io.Writer) (fd int, ok bool) {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}
