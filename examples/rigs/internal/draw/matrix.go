package draw

import (
	"bufio"
	"fmt"
	"html"
	"io"
)

const (
	cell   = 26
	margin = 120
)

// A Matrix shows for each row how it is spread over the columns, by shades.
type Matrix struct {
	Name   string // of its file
	Title  string
	Names  []string // of rows and columns
	Counts [][]int
}

// SVG writes the picture: in each cell the per cent of its row. It needs no axis; by the heat map
// of gonum, which has no numbers in its cells, it would be longer.
func (m *Matrix) SVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	n := len(m.Names)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%[1]d" font-family="sans-serif" `+
		`font-size="12">`+"\n", margin+n*cell+20)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="white"/><text x="64" y="20" font-size="14">%s</text>`+"\n",
		html.EscapeString(m.Title))
	for i, name := range m.Names {
		name = html.EscapeString(name)
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", margin-6, margin+i*cell+17, name)
		fmt.Fprintf(b, `<text transform="translate(%d %d) rotate(-60)">%s</text>`+"\n", margin+i*cell+14, margin-6,
			name)
	}
	for i, row := range m.Counts {
		sum := 0
		for _, count := range row {
			sum += count
		}
		for j, count := range row {
			share := float64(count) / float64(max(sum, 1))
			ink := "#000"
			if share > 0.5 {
				ink = "#fff"
			}
			x, y := margin+j*cell, margin+i*cell
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="#14a" fill-opacity="%.3f"/>`, x, y, cell,
				cell, share)
			fmt.Fprintf(b, `<text x="%d" y="%d" font-size="10" fill="%s" text-anchor="middle">%.0f</text>`+"\n",
				x+cell/2, y+17, ink, 100*share)
		}
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// TSV writes the numbers as tab-separated values, the names in the first line and before each row.
func (m *Matrix) TSV(w io.Writer) error {
	t := Table{Columns: append([]string{"from, to"}, m.Names...)}
	for i, row := range m.Counts {
		cells := []string{m.Names[i]}
		for _, count := range row {
			cells = append(cells, fmt.Sprint(count))
		}
		t.Add(cells...)
	}
	return t.TSV(w)
}
