package cdxj

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Find calls do with every line of the index that has the key, in order. It uses binary search: a
// key needs about twenty disk reads, even in a long index.
func Find(index io.ReaderAt, size int64, key string, do func(Line) error) error {
	want := append([]byte(key), ' ')
	from, err := before(index, size, want)
	if err != nil {
		return err
	}
	lines := bufio.NewReader(io.NewSectionReader(index, from, size-from))
	for {
		line, err := readLine(lines)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("search index: %w", err)
		}
		switch {
		case bytes.HasPrefix(line, want):
			l, err := Parse(line)
			if err == nil && l.Key == key {
				err = do(l)
			}
			if err != nil {
				return err
			}
		case bytes.Compare(line, want) > 0:
			return nil
		}
	}
}

// before returns the position of a line shortly before the lines with the prefix want. No such line
// comes before it.
func before(index io.ReaderAt, size int64, want []byte) (int64, error) {
	low, high := int64(0), size // a line begins at low; lines that begin behind high are no less than want
	for high-low > MaxLine {
		middle := low + (high-low)/2
		lines := bufio.NewReader(io.NewSectionReader(index, middle, size-middle))
		rest, err := readLine(lines) // of the line that middle is in
		if err != nil && err != io.EOF {
			return 0, fmt.Errorf("search index: %w", err)
		}
		next, err := readLine(lines)
		switch begin := middle + int64(len(rest)) + 1; {
		case err == io.EOF:
			high = middle
		case err != nil:
			return 0, fmt.Errorf("search index: %w", err)
		case bytes.Compare(next, want) < 0:
			low = begin
		default:
			high = middle
		}
	}
	return low, nil
}
