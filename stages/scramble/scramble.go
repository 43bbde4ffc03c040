package main

import (
	"context"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
)

// scramble writes the records of the inputs to the batch at out, their hosts spread within each
// portion.
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

// byHost gives the records of each host, hosts in the order in which they occur, and a sum of all URLs.
func byHost(records *urlbatch.Buffer) (hosts [][]int32, sum uint64) {
	index := map[string]int32{}             // host → its place in hosts
	host := make([]int32, 0, records.Len()) // of each record
	var counts []int32                      // records of each host
	urls := xxhash.New()
	for i := range records.Len() {
		rec := records.Record(i)
		name := canon.Host(rec.URLBytes())
		h, ok := index[string(name)]
		if !ok {
			h = int32(len(counts))
			index[string(name)] = h
			counts = append(counts, 0)
		}
		host = append(host, h)
		counts[h]++
		urls.Write(rec.URLBytes())
	}
	all := make([]int32, records.Len())
	hosts = make([][]int32, len(counts))
	for h, n := range counts {
		hosts[h], all = all[:0:n], all[n:]
	}
	for i, h := range host {
		hosts[h] = append(hosts[h], int32(i))
	}
	return hosts, urls.Sum64()
}
