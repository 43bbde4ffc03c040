package output

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// maxParts is the maximum number of parts of an output, because the numbers have five digits.
const maxParts = 99_999

// Parts creates the parts of one output in order.
type Parts struct {
	run   *Run
	first string
	n     int

	hashed bool // parts are named by their content; first is the path of a part while it is written
}

// Parts returns the parts of the output whose first part is first.
func (r *Run) Parts(first string) *Parts { return &Parts{run: r, first: first} }

// Left returns the number of parts that may still be created.
func (p *Parts) Left() int {
	if p.first == Stdout {
		return math.MaxInt
	}
	return maxParts - p.n
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

// PartName returns the name of part n (from 1) of the output whose first part is first.
func PartName(first string, n int) string {
	if n == 1 || first == Stdout {
		return first
	}
	dir, base := filepath.Split(first)
	stem, ext := splitExt(base)
	if m := managers().FindStringSubmatch(base); m != nil {
		stem, ext = m[1], m[3]
	}
	return fmt.Sprintf("%s%s-%05d%s", dir, stem, n, ext)
}

// Transaction returns the number of the transaction in the name of a part, if the manager chose the
// name or the part is named by its content. For any other path it returns 0.
func Transaction(path string) uint64 {
	m := managers().FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return 0
	}
	tx, _ := strconv.ParseUint(m[2], 10, 64) // of twelve digits
	return tx
}

// managers returns a regular expression for the names that the manager chooses,
// NAME-TTTTTTTTTTTT-NNNNN.EXT.
var managers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.+-(\d{12}))-\d{5}(\..*)?$`)
})

// splitExt splits base into stem and extension. It treats .warc.gz and the like as one extension,
// but not .example.zst.
func splitExt(base string) (stem, ext string) {
	ext = filepath.Ext(base)
	stem = strings.TrimSuffix(base, ext)
	if inner := filepath.Ext(stem); inner == ".warc" || inner == ".txt" || inner == ".tar" {
		return strings.TrimSuffix(stem, inner), inner + ext
	}
	return stem, ext
}
