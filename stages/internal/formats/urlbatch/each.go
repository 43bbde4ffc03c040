package urlbatch

import (
	"context"
	"errors"
	"io"

	"multitext/stages/internal/run/percent"
	"multitext/stages/internal/run/report"
)

// Each calls do with every record of the inputs in order, and counts them to rep.In. A line
// that is no record is counted too and handed, as Reject makes it, to bad; with a nil bad it
// leaves the flow with the reason bad-line. Each ends early when ctx does. A record is valid
// until do returns.
func Each(ctx context.Context, inputs []string, stdin io.Reader, rep *report.Report, bad, do func(*Record) error) error {
	if bad == nil {
		bad = func(rec *Record) error {
			rep.Reason(BadLine, 1)
			rep.Because(BadLine, 1, rec.URL(), "")
			return nil
		}
	}
	for _, path := range inputs {
		n, err := eachOf(ctx, path, stdin, bad, do)
		rep.In(n)
		if err != nil {
			return err
		}
	}
	return nil
}

func eachOf(ctx context.Context, path string, stdin io.Reader, bad, do func(*Record) error) (n int64, err error) {
	r, err := Open(path, stdin)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for ; ctx.Err() == nil; n++ {
		rec, err := r.Next()
		switch {
		case err == nil:
			err = do(rec)
		case err == io.EOF:
			return n, nil
		default:
			err = rejected(err, bad)
		}
		if err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

// rejected hands the line that err is about to bad; another error it returns.
func rejected(err error, bad func(*Record) error) error {
	var line *LineError
	if errors.As(err, &line) {
		return bad(Reject(line))
	}
	return err
}

// Reject makes a record of a line that is none: bad-line:ESCAPED with reason=bad-line. Of a
// long line it keeps the first 1 KiB.
func Reject(e *LineError) *Record {
	r := New("bad-line:" + percent.Escape(string(e.Text)))
	r.Set(Reason, BadLine)
	return r
}
