package urlbatch

import (
	"context"
	"errors"
	"io"

	"multitext/stages/internal/run/percent"
	"multitext/stages/internal/run/report"
)

// Each calls do with every record of the inputs in order, and counts them to rep.In. A line that is
// no record is counted too and handed to bad as the record bad-line:ESCAPED with reason=bad-line;
// with a nil bad it leaves the flow under that reason. Each ends early when ctx does. A record is
// valid until do returns.
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

// eachOf calls do with every record of one input, and bad with every line that is none.
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

// ofLine hands the line that err is about to bad; it returns another error as it is.
func ofLine(err error, bad func(*LineError) error) error {
	var line *LineError
	if errors.As(err, &line) {
		return bad(line)
	}
	return err
}

// rejected makes a record of a line that is none. Of a long line it keeps the first 1 KiB.
func rejected(e *LineError) *Record {
	r := New("bad-line:" + percent.Escape(string(e.Text)))
	r.Set(Reason, BadLine)
	return r
}
