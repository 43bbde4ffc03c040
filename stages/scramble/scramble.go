package main

import (
	"context"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

// scramble writes the records of the inputs to the batch at out, their hosts spread.
func scramble(ctx context.Context, env *stage.Env, out string, seed uint64) error {
	var records urlbatch.Buffer
	index := map[string]int{} // host → its place in hosts
	var hosts [][]int32       // the records of each
	sum := xxhash.New()
	add := func(rec *urlbatch.Record) error {
		host := canon.Host(rec.URL())
		h, ok := index[host]
		if !ok {
			h = len(hosts)
			index[host] = h
			hosts = append(hosts, nil)
		}
		hosts[h] = append(hosts[h], int32(records.Len()))
		records.Add(rec)
		sum.Write(rec.URLBytes())
		return nil
	}
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, nil, add); err != nil {
		return err
	}
	if seed == 0 {
		seed = sum.Sum64()
	}
	w := urlbatch.NewWriter(env.Files, out, env.Report.Out)
	for _, i := range spread(hosts, rand.New(rand.NewPCG(seed, 0))) {
		rec := records.Record(int(i))
		if err := w.Write(&rec); err != nil {
			return err
		}
	}
	env.Report.Count("hosts", int64(len(hosts)))
	return w.Close()
}
