package urlbatch

import (
	"context"
	"io"

	"multitext/stages/internal/run/report"
)

// A Portion bounds what a stage that must see many records together holds of them: so many records,
// and so many bytes of their lines. What comes as input has no bound, for a run takes many batches.
type Portion struct {
	Records, Bytes int
}

// Each gathers the records of the inputs and calls do with every full portion and with the last
// one, in order; never with an empty one. The buffer is do's until it returns. Records are counted
// to rep.In; a line that is none leaves the flow with the reason bad-line.
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
