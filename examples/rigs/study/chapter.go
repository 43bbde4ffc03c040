package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"multitext/examples/rigs/study/internal/draw"
)

// A chapter is what an experiment writes: NAME.md with all its tables and pictures, and beside it
// each table as TSV and each picture as SVG.
type chapter struct {
	folder string
	name   string
	text   *bytes.Buffer // nil: what one draw gives is held until all are made
	held   []any
	errs   []error
}

func newChapter(folder, name string) (*chapter, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("make a folder for the results: %w", err)
	}
	c := &chapter{folder: folder, name: name, text: new(bytes.Buffer)}
	c.say("## %s", name)
	return c, nil
}

// say writes a paragraph.
func (c *chapter) say(format string, args ...any) {
	_, err := fmt.Fprintf(c.text, format+"\n\n", args...)
	c.errs = append(c.errs, err)
}

// over makes a part of the chapter once for each draw of the parameters, with a lab whose random
// numbers are of that draw alone. What is written are the medians of all, with the least and the
// greatest.
func (c *chapter) over(l *lab, do func(*lab, *chapter) error) error {
	var draws []*chapter
	for i := range l.Draws {
		of, one := *l, &chapter{}
		of.draw = i
		if err := do(&of, one); err != nil {
			return fmt.Errorf("draw %d: %w", i, err)
		}
		draws = append(draws, one)
	}
	for i, first := range draws[0].held {
		switch first.(type) {
		case *draw.Table:
			t, err := draw.TableOver(each[*draw.Table](draws, i))
			if err != nil {
				return err
			}
			c.table(t)
		case *draw.Chart:
			c.chart(draw.ChartOver(each[*draw.Chart](draws, i)))
		case *draw.Matrix:
			c.matrix(draw.MatrixOver(each[*draw.Matrix](draws, i)))
		}
	}
	return nil
}

// each is the i-th thing of each draw.
func each[T any](draws []*chapter, i int) (all []T) {
	for _, d := range draws {
		all = append(all, d.held[i].(T))
	}
	return all
}

func (c *chapter) table(t *draw.Table) {
	if c.text == nil {
		c.held = append(c.held, t)
		return
	}
	c.errs = append(c.errs, t.Markdown(c.text))
	c.file(t.Name+".tsv", t.TSV)
}

func (c *chapter) picture(name, title string, svg func(io.Writer) error) {
	c.say("![%s](%s.svg)", title, name)
	c.file(name+".svg", svg)
}

func (c *chapter) chart(chart *draw.Chart) {
	if c.text == nil {
		c.held = append(c.held, chart)
		return
	}
	c.picture(chart.Name, chart.Title, chart.SVG)
}

// matrix draws a matrix; its numbers are beside it.
func (c *chapter) matrix(m *draw.Matrix) {
	if c.text == nil {
		c.held = append(c.held, m)
		return
	}
	c.picture(m.Name, m.Title, m.SVG)
	c.file(m.Name+".tsv", m.TSV)
}

func (c *chapter) file(name string, write func(io.Writer) error) {
	f, err := os.Create(filepath.Join(c.folder, name))
	if err != nil {
		c.errs = append(c.errs, err)
		return
	}
	c.errs = append(c.errs, write(f), f.Close())
}

// close writes the chapter; what went wrong with any of its files is told here. One that is never
// closed leaves that of an earlier run as it is.
func (c *chapter) close() error {
	err := os.WriteFile(filepath.Join(c.folder, c.name+".md"), c.text.Bytes(), 0o666)
	if err := errors.Join(append(c.errs, err)...); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}
