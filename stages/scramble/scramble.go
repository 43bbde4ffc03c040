package main

import (
	"context"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
)

// scramble writes the records of the inputs to the batch at path out, with their hosts spread
// within each portion.
func scramble(ctx context.Context, env *stage.Env, portion urlbatch.Portion, out string, seed uint64) error {
	w := urlbatch.NewWriter(env.Files, out, env.Report.Out)
	err := portion.Each(ctx, env.Inputs, env.Stdin, env.Report, func(records *urlbatch.Buffer) error {
		hosts, sum := byHost(records)
		env.Report.Count("hosts", int64(len(hosts)))
		chosen := seed
		if seed == 0 {
			chosen = sum
		}
		for _, i := range spread(hosts, rand.New(rand.NewPCG(chosen, 0))) {
			rec := records.Record(int(i))
			if err := w.Write(&rec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// byHost returns the records of each host, with hosts in order of first appearance, and a checksum
// of all URLs.
func byHost(records *urlbatch.Buffer) (hosts [][]int32, sum uint64) {
	host, n := records.Hosts()
	hosts = make([][]int32, n)
	urls := xxhash.New()
	for i, h := range host {
		hosts[h] = append(hosts[h], int32(i))
		rec := records.Record(i)
		urls.Write(rec.URLBytes())
	}
	return hosts, urls.Sum64()
}
