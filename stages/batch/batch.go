package main

import (
	"context"
	"fmt"
	"time"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/output"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

// run is one run of the stage: all records, and the host of each.
type run struct {
	env     *stage.Env
	options options
	records urlbatch.Buffer
	host    []int32          // of each record
	index   map[string]int32 // name → host
	out     *urlbatch.Writer
}

// batch reads all records and writes them cut into parts.
func batch(ctx context.Context, env *stage.Env, o options, now func() time.Time) error {
	r := &run{env: env, options: o, index: map[string]int32{}}
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, nil, r.add); err != nil {
		return err
	}
	r.out = urlbatch.NewWriter(env.Files, o.out, env.Report.Out)
	shares, surplus := r.split()
	if err := r.cut(shares, func(int) time.Time { return time.Time{} }); err != nil {
		return err
	}
	start := now()
	return r.cut(surplus, func(part int) time.Time { return start.Add(time.Duration(part+1) * o.hold) })
}

func (r *run) add(rec *urlbatch.Record) error {
	name := canon.Host(rec.URL())
	h, ok := r.index[name]
	if !ok {
		h = int32(len(r.index))
		r.index[name] = h
	}
	r.host = append(r.host, h)
	r.records.Add(rec)
	return nil
}

// split returns the records within their host's share and those above it; without -hold all
// are of the first kind.
func (r *run) split() (shares, surplus []int32) {
	counts := make([]int, len(r.index))
	for rec, h := range r.host {
		if counts[h]++; r.options.hold > 0 && r.options.perHost > 0 && counts[h] > r.options.perHost {
			surplus = append(surplus, int32(rec))
		} else {
			shares = append(shares, int32(rec))
		}
	}
	return shares, surplus
}

// cut writes records into parts, each due when due says; the zero time is at once.
func (r *run) cut(records []int32, due func(part int) time.Time) error {
	if len(records) == 0 {
		return nil
	}
	counts := map[int32]int{}
	for _, rec := range records {
		counts[r.host[rec]]++
	}
	parts, p := pack(records, r.host, counts, r.options.urls, r.options.perHost)
	for i, part := range parts {
		if err := r.write(part, due(i)); err != nil {
			return err
		}
	}
	if p.parts > 2*p.urls {
		r.env.Report.Note(fmt.Sprintf("-per-host %d cuts %d URLs of %d hosts into %d parts of %d; -urls alone would make %d",
			r.options.perHost, len(records), len(counts), p.parts, p.size, p.urls))
	}
	return nil
}

// write writes one part.
func (r *run) write(part []int32, due time.Time) error {
	for _, i := range part {
		rec := r.records.Record(int(i))
		if err := r.out.Write(&rec); err != nil {
			return err
		}
	}
	path := r.out.Path()
	if err := r.out.Cut(); err != nil {
		return err
	}
	if !due.IsZero() && path != output.Stdout {
		r.env.Report.Later(path, due)
	}
	return nil
}
