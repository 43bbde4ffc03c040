package urlbatch

import (
	"context"
	"fmt"
	"io"
)

// Verify reads the whole batch at path ("-" is stdin) and checks that its compression is complete
// and every line is a record. The error has the first line that is not a record, and their number.
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
