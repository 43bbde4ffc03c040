package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/segment"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

// portion is what is judged at a time: probes in the order of the keys are cheap, and the more
// there are at once, the cheaper.
func portion() urlbatch.Portion { return urlbatch.Portion{Records: 128 << 10, Bytes: 8 << 20} }

// run is one run of the stage. Records are gathered, judged together in the order of their
// keys, and written in the order they came.
type run struct {
	env     *stage.Env
	seen    *segment.Set
	met     met // keys that became seen in this run
	fresh   *urlbatch.Writer
	entries []entry
}

// entry is a record and its key.
type entry struct {
	key    uint64
	record int
}

// filter writes the fresh records of the inputs to the batch fresh, and their keys to the
// segment at path unless that is empty.
func filter(ctx context.Context, env *stage.Env, list, path, fresh string) error {
	seen, err := segment.OpenSet(list)
	if err != nil {
		return err
	}
	defer seen.Close()
	r := &run{env: env, seen: seen, fresh: urlbatch.NewWriter(env.Files, fresh, env.Report.Out)}
	if err := portion().Each(ctx, env.Inputs, env.Stdin, env.Report, r.judge); err != nil {
		return err
	}
	if err := r.fresh.Close(); err != nil {
		return err
	}
	if path == "" {
		return nil
	}
	return seen.Append(env.Files, path, segment.Batch{Keys: r.met.all()}, env.Report)
}

// judge writes the fresh ones of records.
func (r *run) judge(records *urlbatch.Buffer) error {
	r.entries = r.entries[:0]
	for i := range records.Len() {
		rec := records.Record(i)
		r.entries = append(r.entries, entry{xxhash.Sum64(rec.URLBytes()), i})
	}
	slices.SortFunc(r.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.record, b.record))
	})
	var keys []uint64
	fresh := r.entries[:0]
	for _, e := range r.entries {
		reason, err := r.reason(e.key, keys)
		if err != nil {
			return err
		}
		if reason != "" {
			r.env.Report.Reason(reason, 1)
			continue
		}
		keys = append(keys, e.key)
		fresh = append(fresh, e)
	}
	r.met.add(keys)
	return r.write(records, fresh)
}

// reason tells why key is not fresh, "" if it is; keys are the fresh ones below it.
func (r *run) reason(key uint64, keys []uint64) (string, error) {
	if n := len(keys); n > 0 && keys[n-1] == key || r.met.has(key) {
		return "repeated", nil
	}
	_, old, err := r.seen.Get(key)
	if old {
		return "seen", err
	}
	return "", err
}

// write writes the fresh ones of records in the order they came.
func (r *run) write(records *urlbatch.Buffer, fresh []entry) error {
	slices.SortFunc(fresh, func(a, b entry) int { return cmp.Compare(a.record, b.record) })
	for _, e := range fresh {
		rec := records.Record(e.record)
		if err := r.fresh.Write(&rec); err != nil {
			return err
		}
	}
	return nil
}
