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

// Bounds of what is gathered before it is judged: probes in the order of the keys are cheap,
// and the more there are at once, the cheaper.
const (
	maxText    = 8 << 20
	maxRecords = 128 << 10
)

// run is one run of the stage. Records are gathered, judged together in the order of their
// keys, and written in the order they came.
type run struct {
	env     *stage.Env
	seen    *segment.Set
	met     met // keys that became seen in this run
	fresh   *urlbatch.Writer
	records urlbatch.Buffer
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
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, nil, r.add); err != nil {
		return err
	}
	if err := r.judge(); err != nil {
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

func (r *run) add(rec *urlbatch.Record) error {
	r.entries = append(r.entries, entry{xxhash.Sum64(rec.URLBytes()), r.records.Len()})
	r.records.Add(rec)
	if r.records.Len() < maxRecords && r.records.Size() < maxText {
		return nil
	}
	return r.judge()
}

// judge decides what is gathered, writes the fresh records and forgets the others.
func (r *run) judge() error {
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
	return r.write(fresh)
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

// write writes the fresh records in the order they came and empties the run's memory.
func (r *run) write(fresh []entry) error {
	slices.SortFunc(fresh, func(a, b entry) int { return cmp.Compare(a.record, b.record) })
	for _, e := range fresh {
		rec := r.records.Record(e.record)
		if err := r.fresh.Write(&rec); err != nil {
			return err
		}
	}
	r.records.Reset()
	r.entries = r.entries[:0]
	return nil
}
