package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"multitext/examples/rigs/internal/draw"
)

// A Chapter is what an experiment writes: NAME.md with all its tables and pictures, and beside it
// each table as TSV and each picture as SVG.
type Chapter struct {
	folder string
	name   string
	text   *bytes.Buffer // nil: what one draw gives is held until all are made
	held   []any
	errs   []error
}

// NewChapter begins a chapter; its files go to a folder, which is made.
func NewChapter(folder, name string) (*Chapter, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("make a folder for the results: %w", err)
	}
	c := &Chapter{folder: folder, name: name, text: new(bytes.Buffer)}
	c.Say("## %s", name)
	return c, nil
}

// Say writes a paragraph.
func (c *Chapter) Say(format string, args ...any) {
	_, err := fmt.Fprintf(c.text, format+"\n\n", args...)
	c.errs = append(c.errs, err)
}

// Over makes a part of the chapter so many times, of the draws 0, 1, …; do says what one draw gives,
// and writes it to the chapter that it is given. What is written here is the
// medians of all, with a band that leaves out a share of the draws at each end (draw.TableOver).
func (c *Chapter) Over(draws int, outside float64, do func(draw int, c *Chapter) error) error {
	var all []*Chapter
	for i := range draws {
		one := &Chapter{}
		if err := do(i, one); err != nil {
			return fmt.Errorf("draw %d: %w", i, err)
		}
		all = append(all, one)
	}
	for i, first := range all[0].held {
		switch first.(type) {
		case *draw.Table:
			t, err := draw.TableOver(each[*draw.Table](all, i), outside)
			if err != nil {
				return err
			}
			c.Table(t)
		case *draw.Chart:
			c.Chart(draw.ChartOver(each[*draw.Chart](all, i), outside))
		case *draw.Matrix:
			c.Matrix(draw.MatrixOver(each[*draw.Matrix](all, i)))
		}
	}
	return nil
}

// each is the i-th thing of each draw.
func each[T any](draws []*Chapter, i int) (all []T) {
	for _, d := range draws {
		all = append(all, d.held[i].(T))
	}
	return all
}

// Table writes a table.
func (c *Chapter) Table(t *draw.Table) {
	if c.text == nil {
		c.held = append(c.held, t)
		return
	}
	c.errs = append(c.errs, t.Markdown(c.text))
	c.file(t.Name+".tsv", t.TSV)
}

func (c *Chapter) picture(name, title string, svg func(io.Writer) error) {
	c.Say("![%s](%s.svg)", title, name)
	c.file(name+".svg", svg)
}

// Chart draws a chart.
func (c *Chapter) Chart(chart *draw.Chart) {
	if c.text == nil {
		c.held = append(c.held, chart)
		return
	}
	c.picture(chart.Name, chart.Title, chart.SVG)
}

// Matrix draws a matrix; its numbers are beside it.
func (c *Chapter) Matrix(m *draw.Matrix) {
	if c.text == nil {
		c.held = append(c.held, m)
		return
	}
	c.picture(m.Name, m.Title, m.SVG)
	c.file(m.Name+".tsv", m.TSV)
}

func (c *Chapter) file(name string, write func(io.Writer) error) {
	f, err := os.Create(filepath.Join(c.folder, name))
	if err != nil {
		c.errs = append(c.errs, err)
		return
	}
	c.errs = append(c.errs, write(f), f.Close())
}

// Close writes the chapter; what went wrong with any of its files is told here. One that is never
// closed leaves that of an earlier run as it is.
func (c *Chapter) Close() error {
	err := os.WriteFile(filepath.Join(c.folder, c.name+".md"), c.text.Bytes(), 0o666)
	if err := errors.Join(append(c.errs, err)...); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}
