package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"multitext/examples/c4/study/internal/draw"
)

// A chapter is what an experiment writes: NAME.md with all its tables and pictures, and beside it each table as
// TSV and each picture as SVG.
type chapter struct {
	folder string
	text   *os.File
	errs   []error
}

func newChapter(folder, name string) (*chapter, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("make a folder for the results: %w", err)
	}
	f, err := os.Create(filepath.Join(folder, name+".md"))
	if err != nil {
		return nil, fmt.Errorf("write a chapter: %w", err)
	}
	c := &chapter{folder: folder, text: f}
	c.say("## %s", name)
	return c, nil
}

// say writes a paragraph.
func (c *chapter) say(format string, args ...any) {
	_, err := fmt.Fprintf(c.text, format+"\n\n", args...)
	c.errs = append(c.errs, err)
}

func (c *chapter) table(t *draw.Table) {
	c.errs = append(c.errs, t.Markdown(c.text))
	c.file(t.Name+".tsv", t.TSV)
}

func (c *chapter) picture(name, title string, svg func(io.Writer) error) {
	c.say("![%s](%s.svg)", title, name)
	c.file(name+".svg", svg)
}

func (c *chapter) chart(chart *draw.Chart) { c.picture(chart.Name, chart.Title, chart.SVG) }

// matrix draws a matrix; its numbers are beside it.
func (c *chapter) matrix(m *draw.Matrix) {
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

// close ends the chapter; what went wrong with any of its files is told here.
func (c *chapter) close() error {
	if err := errors.Join(append(c.errs, c.text.Close())...); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}
