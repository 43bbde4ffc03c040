package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A sheet is a table that was written: rows by the text of their first cells, cells by their
// column.
type sheet struct {
	name    string
	columns []string
	rows    [][]string
}

func readSheet(dir, name string) (sheet, error) {
	b, err := os.ReadFile(filepath.Join(dir, name+".tsv"))
	if err != nil {
		return sheet{}, fmt.Errorf("read a table: %w", err)
	}
	s := sheet{name: name}
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		cells := strings.Split(line, "\t")
		if i == 0 {
			s.columns = cells
			continue
		}
		if len(cells) != len(s.columns) {
			return s, fmt.Errorf("read a table: %s has a row of %d cells under %d columns: %q", name, len(cells),
				len(s.columns), line)
		}
		s.rows = append(s.rows, cells)
	}
	return s, nil
}

// cell is what stands in a column, the first of that name, of the first row that begins with these
// cells.
func (s sheet) cell(column string, begin ...string) (string, error) {
	at := slices.Index(s.columns, column)
	for _, row := range s.rows {
		if at >= 0 && len(row) >= len(begin) && slices.Equal(row[:len(begin)], begin) {
			return row[at], nil
		}
	}
	return "", fmt.Errorf("the table %s has no column %q in a row %q", s.name, column, begin)
}
