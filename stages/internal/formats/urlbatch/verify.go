package urlbatch

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Verify reads the whole batch at path, "-" being stdin: its compression is whole and every line
// is a record. The error tells of the first that is none, and how many there are.
func Verify(ctx context.Context, path string, stdin io.Reader) error {
	r, err := Open(path, stdin)
	if err != nil {
		return err
	}
	defer r.Close()
	var first error
	bad := 0
	for ctx.Err() == nil {
		_, err := r.Next()
		var line *LineError
		switch {
		case err == io.EOF && bad == 0:
			return nil
		case err == io.EOF:
			return fmt.Errorf("%w (lines that are no record: %d)", first, bad)
		case errors.As(err, &line):
			if bad++; bad == 1 {
				// The line itself is valid only until the next.
				first = fmt.Errorf("%s:%d: %w", line.Name, line.Line, line.Err)
			}
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}
