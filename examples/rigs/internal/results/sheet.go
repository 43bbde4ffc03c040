package results

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Sheet is a table that was written: rows by the text of their first cells, cells by their
// column.
type Sheet struct {
	Name    string
	Columns []string
	Rows    [][]string
}

// ReadSheet reads the table NAME.tsv of a folder.
func ReadSheet(dir, name string) (Sheet, error) {
	b, err := os.ReadFile(filepath.Join(dir, name+".tsv"))
	if err != nil {
		return Sheet{}, fmt.Errorf("read a table: %w", err)
	}
	s := Sheet{Name: name}
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		cells := strings.Split(line, "\t")
		if i == 0 {
			s.Columns = cells
			continue
		}
		if len(cells) != len(s.Columns) {
			return s, fmt.Errorf("read a table: %s has a row of %d cells under %d columns: %q", name, len(cells),
				len(s.Columns), line)
		}
		s.Rows = append(s.Rows, cells)
	}
	return s, nil
}

// Cell is what stands in a column, the first of that name, of the first row that begins with these
// cells.
func (s Sheet) Cell(column string, begin ...string) (string, error) {
	at := slices.Index(s.Columns, column)
	for _, row := range s.Rows {
		if at >= 0 && len(row) >= len(begin) && slices.Equal(row[:len(begin)], begin) {
			return row[at], nil
		}
	}
	return "", fmt.Errorf("the table %s has no column %q in a row %q", s.Name, column, begin)
}
