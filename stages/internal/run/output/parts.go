package output

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// MaxParts is how many parts an output may have: their numbers have five digits.
const MaxParts = 99_999

// Parts hands out the parts of one output in order: the first is the path it was given.
type Parts struct {
	run   *Run
	first string
	n     int

	hashed bool // parts are named by their content: first is the path of one under a name for the time being
}

// Parts returns the parts of the output whose first part is first.
func (r *Run) Parts(first string) *Parts { return &Parts{run: r, first: first} }

// Left tells how many parts may still be created.
func (p *Parts) Left() int {
	if p.first == Stdout {
		return math.MaxInt
	}
	return MaxParts - p.n
}

// Create creates the next part.
func (p *Parts) Create() (*File, error) {
	if p.Left() == 0 {
		return nil, fmt.Errorf("create output %s: it has %d parts, and no number is left", p.first, p.n)
	}
	create := p.run.Create
	if p.hashed {
		create = p.run.createHashed
	}
	f, err := create(PartName(p.first, p.n+1))
	if err == nil {
		p.n++
	}
	return f, err
}

// series cuts the number of the part off a stem that the manager has chosen, NAME-TTTTTTTTTTTT-NNNNN;
// ok is false for any other. It is written by hand, for every stage would compile a regular expression at its start.
func series(stem string) (cut string, ok bool) {
	const number = "-NNNNN"
	dashes := len(stem) - len("-TTTTTTTTTTTT") - len(number)
	if dashes < 1 {
		return stem, false
	}
	for i := dashes; i < len(stem); i++ {
		isDash := i == dashes || i == len(stem)-len(number)
		if isDash != (stem[i] == '-') || !isDash && (stem[i] < '0' || stem[i] > '9') {
			return stem, false
		}
	}
	return stem[:len(stem)-len(number)], true
}

// PartName returns the name of part n (from 1) of the output whose first part is first.
func PartName(first string, n int) string {
	if n == 1 || first == Stdout {
		return first
	}
	dir, base := filepath.Split(first)
	stem, ext := splitExt(base)
	stem, _ = series(stem)
	return fmt.Sprintf("%s%s-%05d%s", dir, stem, n, ext)
}

// splitExt takes .warc.gz and its like as one extension; .example.zst is no such pair.
func splitExt(base string) (stem, ext string) {
	ext = filepath.Ext(base)
	stem = strings.TrimSuffix(base, ext)
	if inner := filepath.Ext(stem); inner == ".warc" || inner == ".txt" || inner == ".tar" {
		return strings.TrimSuffix(stem, inner), inner + ext
	}
	return stem, ext
}
