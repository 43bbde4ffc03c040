package results

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"multitext/examples/rigs/internal/draw"
)

// Print prints RESULTS.md: its text, in which the following stand for the tables of a folder.
//
//	{{cell "TABLE" "COLUMN" "ROW"…}}    a cell of the row that begins with these
//	{{median "TABLE" "COLUMN" "ROW"…}}  the same without the band
//	{{table "TABLE" "COLUMN"…}}         a table of these columns
//	{{list "A" "B"…}}                   to range over
func Print(w io.Writer, text, tables string) error {
	cell := func(name, column string, begin ...string) (string, error) {
		s, err := ReadSheet(tables, name)
		if err != nil {
			return "", err
		}
		return s.Cell(column, begin...)
	}
	t, err := template.New("RESULTS.tmpl").Funcs(template.FuncMap{
		"cell": cell,
		"median": func(name, column string, begin ...string) (string, error) {
			c, err := cell(name, column, begin...)
			median, _, _ := strings.Cut(c, " ")
			return median, err
		},
		"list":  func(names ...string) []string { return names },
		"table": func(name string, columns ...string) (string, error) { return tableOf(tables, name, columns) },
	}).Parse(text)
	if err != nil {
		return fmt.Errorf("print RESULTS.md: %w", err)
	}
	if err := t.Execute(w, nil); err != nil {
		return fmt.Errorf("print RESULTS.md: %w", err)
	}
	return nil
}

// tableOf is some columns of a table as Markdown.
func tableOf(dir, name string, columns []string) (string, error) {
	s, err := ReadSheet(dir, name)
	if err != nil {
		return "", err
	}
	t := draw.Table{Columns: columns}
	for _, row := range s.Rows {
		var cells []string
		for _, column := range columns {
			c, err := s.Cell(column, row...)
			if err != nil {
				return "", err
			}
			cells = append(cells, c)
		}
		t.Add(cells...)
	}
	var b strings.Builder
	err = t.Rules(&b)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// Write writes RESULTS.md beside the folder of the tables.
func Write(out, text string) error {
	var b bytes.Buffer
	if err := Print(&b, text, filepath.Join(out, "results")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "RESULTS.md"), b.Bytes(), 0o666); err != nil {
		return fmt.Errorf("write RESULTS.md: %w", err)
	}
	return nil
}
