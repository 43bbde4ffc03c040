// Package draw writes tables and pictures: Markdown and tab-separated values, and SVG.
package draw

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// A Table is rows of cells, as many in each as there are columns.
type Table struct {
	Name    string // of its file
	Title   string
	Note    string // what the columns mean, or ""
	Columns []string
	Rows    [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Markdown writes the table as one of Markdown, under a heading.
func (t *Table) Markdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "### %s\n\n", t.Title)
	if t.Note != "" {
		fmt.Fprintf(b, "%s\n\n", t.Note)
	}
	if err := t.Rules(b); err != nil {
		return err
	}
	fmt.Fprintln(b)
	return b.Flush()
}

// Rules writes the columns and rows alone.
func (t *Table) Rules(w io.Writer) error {
	b := bufio.NewWriter(w)
	row(b, t.Columns)
	row(b, strings.Fields("---"+strings.Repeat(" ---:", len(t.Columns)-1)))
	for _, cells := range t.Rows {
		row(b, cells)
	}
	return b.Flush()
}

func row(w io.Writer, cells []string) { fmt.Fprintln(w, "|", strings.Join(cells, " | "), "|") }

// TSV writes the table as tab-separated values, the columns' names in the first line.
func (t *Table) TSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, strings.Join(t.Columns, "\t"))
	for _, cells := range t.Rows {
		fmt.Fprintln(b, strings.Join(cells, "\t"))
	}
	return b.Flush()
}

const none = "–" // stands where there is no number

// Percent is a share from 0 to 1 in per cent, with one digit behind the point; "–" where there is
// none.
func Percent(share float64) string {
	if math.IsNaN(share) {
		return none
	}
	return fmt.Sprintf("%.1f", 100*share)
}

// Number is a number with so many digits behind the point; "–" where there is none.
func Number(x float64, digits int) string {
	if math.IsNaN(x) {
		return none
	}
	return fmt.Sprintf("%.*f", digits, x)
}
