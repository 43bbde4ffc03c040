package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/blockfile"
)

// format is the first line of a segment.
const format = "# harvest 1"

// sizes are the second line: pages, sum, step, drawn and stagnant of the curve.
const sizes = "# pages %d sum %g step %d drawn %d stagnant %t"

// largest is more bytes than any segment has.
const largest = 1 << 20

var errDamaged = errors.New("damaged")

// load returns the curve in the segment that the file list names. Without one it is empty.
func load(list string) (c *curve, segment string, err error) {
	paths, err := blockfile.Paths(list)
	//failpoint:harvest-forgotten paths = nil
	if err != nil || len(paths) == 0 {
		return newCurve(), "", err
	}
	if len(paths) > 1 {
		return nil, "", fmt.Errorf("%s lists %d segments; the state of harvest has one", list, len(paths))
	}
	c, err = read(paths[0])
	return c, paths[0], err
}

// read returns the curve in a segment.
func read(path string) (*curve, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read a segment: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largest))
	if err != nil {
		return nil, fmt.Errorf("read a segment: %w", err)
	}
	c, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("segment %s: %w", path, err)
	}
	return c, nil
}

// verify is -verify of a segment.
func verify(_ context.Context, _ *stage.Env, path string) error {
	_, err := read(path)
	return err
}

// encode returns the segment of a curve.
func (c *curve) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, format+"\n"+sizes+"\n# last", c.pages, c.sum, c.step, c.drawn, c.stagnant)
	for i := c.pages - min(c.pages, wide); i < c.pages; i++ {
		fmt.Fprintf(&b, " %g", c.last[i%wide])
	}
	b.WriteByte('\n')
	writeTable(&b, c.points)
	fmt.Fprintf(&b, "# xxh64 %016x\n", xxhash.Sum64(b.Bytes()))
	return b.Bytes()
}

// decode returns the curve of a segment. It has every value within its bounds, and encode makes the
// same bytes of it.
func decode(text []byte) (*curve, error) {
	c := newCurve()
	lines := strings.Split(string(text), "\n")
	if lines[0] != format {
		return nil, fmt.Errorf("%w: it begins with %.40q, want %q", errDamaged, lines[0], format)
	}
	if len(lines) < 6 {
		return nil, fmt.Errorf("%w: it is too short", errDamaged)
	}
	if _, err := fmt.Sscanf(lines[1], sizes, &c.pages, &c.sum, &c.step, &c.drawn, &c.stagnant); err != nil {
		return nil, fmt.Errorf("%w: line 2: %w", errDamaged, err)
	}
	if c.pages < 1 || c.step < 1 || c.step&(c.step-1) > 0 || c.drawn < 0 || c.drawn > c.pages ||
		!(c.sum >= 0 && c.sum <= float64(c.pages)) {
		return nil, fmt.Errorf("%w: line 2 has a number that cannot be", errDamaged)
	}
	if err := c.decodeLast(strings.Fields(strings.TrimPrefix(lines[2], "# last"))); err != nil {
		return nil, fmt.Errorf("%w: line 3: %w", errDamaged, err)
	}
	for i, row := range lines[4 : len(lines)-2] {
		p, err := decodeRow(row)
		if err != nil || p.pages%c.step > 0 || p.pages > c.pages || i >= most {
			return nil, fmt.Errorf("%w: line %d is no row", errDamaged, 5+i)
		}
		c.points = append(c.points, p)
	}
	if !bytes.Equal(c.encode(), text) {
		return nil, fmt.Errorf("%w: its checksum is another", errDamaged)
	}
	return c, nil
}

// decodeLast takes in the worths of the last pages.
func (c *curve) decodeLast(fields []string) error {
	n := min(c.pages, wide)
	if int64(len(fields)) != n {
		return fmt.Errorf("%d numbers, want %d", len(fields), n)
	}
	for i, field := range fields {
		v, err := share(field)
		if err != nil {
			return err
		}
		c.last[(c.pages-n+int64(i))%wide] = v
	}
	return nil
}

// decodeRow reads a row of a table.
func decodeRow(row string) (p point, err error) {
	f := strings.Split(row, "\t")
	if len(f) != 4 {
		return p, fmt.Errorf("%d columns", len(f))
	}
	p.pages, err = strconv.ParseInt(f[0], 10, 64)
	for i, to := range []*float64{&p.mean100, &p.mean1000, &p.all} {
		if err == nil {
			*to, err = share(f[1+i])
		}
	}
	return p, err
}

// share reads a number from 0 to 1.
func share(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && !(v >= 0 && v <= 1) {
		err = fmt.Errorf("%v is not from 0 to 1", v)
	}
	return v, err
}
