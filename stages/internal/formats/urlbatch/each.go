package urlbatch

import (
	"context"
	"errors"
	"io"

	"multitext/stages/internal/run/percent"
	"multitext/stages/internal/run/report"
)

// Each calls do with every record of the inputs in order, and counts them in rep.In. It also counts
// lines that are not records, and calls bad with them as the record bad-line:ESCAPED with
// reason=bad-line. If bad is nil, they end here with that reason. Each stops when ctx is done. A
// record is valid until do returns.
func Each(ctx context.Context, inputs []string, stdin io.Reader, rep *report.Report,
	bad, do func(*Record) error) error {
	if bad == nil {
		bad = func(rec *Record) error {
			rep.Reason(BadLine, 1)
			rep.Because(BadLine, 1, rec.URL(), "")
			return nil
		}
	}
	reject := func(e *LineError) error { return bad(rejected(e)) }
	for _, path := range inputs {
		n, err := eachOf(ctx, path, stdin, reject, do)
		rep.In(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// eachOf calls do with every record of one input, and bad with every line that is not a record.
func eachOf(ctx context.Context, path string, stdin io.Reader,
	bad func(*LineError) error, do func(*Record) error) (n int64, err error) {
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
			err = ofLine(err, bad)
		}
		if err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

// ofLine calls bad with the line if err is a LineError. Otherwise it returns err.
func ofLine(err error, bad func(*LineError) error) error {
	var line *LineError
	if errors.As(err, &line) {
		return bad(line)
	}
	return err
}

// rejected returns a record for a line that is not a record. It keeps only the first 1 KiB of a
// long line.
func rejected(e *LineError) *Record {
	r := New("bad-line:" + percent.Escape(string(e.Text)))
	r.Set(Reason, BadLine)
	return r
}
