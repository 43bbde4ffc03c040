package urlbatch

import (
	"context"
	"io"

	"multitext/stages/internal/run/report"
)

// A Portion limits the records that a stage keeps in memory if it must see many records together.
// It has a maximum number of records and a maximum size of their lines. It is needed because the
// input of a run may have any size.
type Portion struct {
	Records, Bytes int
}

// Each collects the records of the inputs and calls do with every full portion and with the last
// one, in order, but never with an empty one. do may use the buffer until it returns. Records are
// counted in rep.In. A line that is not a record ends here with the reason bad-line.
func (p Portion) Each(ctx context.Context, inputs []string, stdin io.Reader, rep *report.Report,
	do func(*Buffer) error) error {
	var b Buffer
	flush := func() error {
		defer b.Reset()
		return do(&b)
	}
	err := Each(ctx, inputs, stdin, rep, nil, func(rec *Record) error {
		b.Add(rec)
		if b.Len() < p.Records && b.Size() < p.Bytes {
			return nil
		}
		return flush()
	})
	if err != nil || b.Len() == 0 {
		return err
	}
	return flush()
}
