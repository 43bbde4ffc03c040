package urlbatch

import (
	"context"
	"fmt"
	"io"
)

// Verify reads the whole batch at path, "-" being stdin: its compression is whole and every line is
// a record. The error tells of the first line that is none, and how many there are.
func Verify(ctx context.Context, path string, stdin io.Reader) error {
	var first error
	lines := 0
	bad := func(line *LineError) error {
		if lines++; lines == 1 { // line.Text is valid only until the next
			first = fmt.Errorf("%s:%d: %w", line.Name, line.Line, line.Err)
		}
		return nil
	}
	_, err := eachOf(ctx, path, stdin, bad, func(*Record) error { return nil })
	if err == nil && lines > 0 {
		err = fmt.Errorf("%w (lines that are no record: %d)", first, lines)
	}
	return err
}
