package output

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
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

var managed = regexp.MustCompile(`^(.+-\d{12})-\d{5}$`)

// PartName returns the name of part n (from 1) of the output whose first part is first.
func PartName(first string, n int) string {
	if n == 1 || first == Stdout {
		return first
	}
	dir, base := filepath.Split(first)
	stem, ext := splitExt(base)
	if m := managed.FindStringSubmatch(stem); m != nil {
		stem = m[1]
	}
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
