package main

import (
	"context"

	"multitext/stages/internal/seen"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

// portion is what is judged at a time: probes in the order of the keys are cheap, and the more
// there are at once, the cheaper; but these are still in the cache of a processor.
func portion() urlbatch.Portion { return urlbatch.Portion{Records: 64 << 10, Bytes: 4 << 20} }

// run is one run of the stage. Records are gathered, judged together, and written in the order they came.
type run struct {
	env   *stage.Env
	seen  *seen.Table
	fresh *urlbatch.Writer
	keys  []uint64
}

// filter writes the fresh records of the inputs to the batch fresh, and their keys to the
// segment at path unless that is empty.
func filter(ctx context.Context, env *stage.Env, list, path, fresh string) error {
	table, err := seen.Open(list, env.Hash)
	if err != nil {
		return err
	}
	defer table.Close()
	r := &run{env: env, seen: table, fresh: urlbatch.NewWriter(env.Files, fresh, env.Report.Out)}
	if err := portion().Each(ctx, env.Inputs, env.Stdin, env.Report, r.judge); err != nil {
		return err
	}
	if err := r.fresh.Close(); err != nil {
		return err
	}
	return table.Save(env.Files, path, env.Report)
}

// judge writes the fresh ones of records.
func (r *run) judge(records *urlbatch.Buffer) error {
	r.keys = r.keys[:0]
	hash := r.seen.Hash()
	for i := range records.Len() {
		rec := records.Record(i)
		r.keys = append(r.keys, hash.Sum(rec.URLBytes()))
	}
	verdicts, err := r.seen.Judge(r.keys)
	if err != nil {
		return err
	}
	var times [3]int64 // of each verdict
	for i, v := range verdicts {
		if times[v]++; v == seen.New {
			rec := records.Record(i)
			if err := r.fresh.Write(&rec); err != nil {
				return err
			}
		}
	}
	r.leave("seen", times[seen.Old])
	r.leave("repeated", times[seen.Repeated])
	return nil
}

// leave notes that n records leave the flow.
func (r *run) leave(reason string, n int64) {
	if n > 0 {
		r.env.Report.Reason(reason, n)
	}
}
