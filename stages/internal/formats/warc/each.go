package warc

import (
	"context"
	"io"

	"multitext/stages/internal/run/report"
)

// Each calls do with every answer of the inputs in order, between rep.Begin and rep.End. It skips
// answers that rep has blamed. It stops when ctx is done. An answer and its reader are valid until
// do returns.
func Each(ctx context.Context, inputs []string, stdin io.Reader, rep *report.Report,
	do func(*Reader, *Answer) error) error {
	for _, path := range inputs {
		if err := eachOf(ctx, path, stdin, rep, do); err != nil {
			return err
		}
	}
	return nil
}

func eachOf(ctx context.Context, path string, stdin io.Reader, rep *report.Report,
	do func(*Reader, *Answer) error) error {
	r, err := Open(path, stdin)
	if err != nil {
		return err
	}
	defer r.Close()
	for ctx.Err() == nil {
		a, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !rep.Begin() {
			continue
		}
		if err := do(r, a); err != nil {
			return err
		}
		rep.End()
	}
	return ctx.Err()
}
