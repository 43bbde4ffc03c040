package main

import (
	"context"
	"fmt"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
)

// run is one run of the stage.
type run struct {
	env        *stage.Env
	options    options
	start      time.Time
	out, again *outlet // the same where -again is not given
	holds      bool    // records that exceed their host's share are held
	held       int     // number of parts with a later due time
	noted      bool    // the report already notes that the shares make parts small

	records *urlbatch.Buffer // the portion being cut
	host    []int32          // host number of each record
	hosts   int
}

// An outlet is an output that consists of parts.
type outlet struct {
	parts *output.Parts
	out   *urlbatch.Writer // writes the parts
}

func newOutlet(env *stage.Env, path string) *outlet {
	parts := env.Files.Parts(path)
	return &outlet{parts, urlbatch.NewPartsWriter(parts, env.Report.Out)}
}

// batch reads the inputs and writes their records to parts.
func batch(ctx context.Context, env *stage.Env, portion urlbatch.Portion, o options, start time.Time) error {
	out := newOutlet(env, o.out)
	r := &run{env: env, options: o, start: start, out: out, again: out}
	if o.again != "" {
		r.again = newOutlet(env, o.again)
	}
	return portion.Each(ctx, env.Inputs, env.Stdin, env.Report, r.portion)
}

// portion cuts one portion: first the records within their host's share, then the held records.
func (r *run) portion(records *urlbatch.Buffer) error {
	r.records = records
	r.host, r.hosts = records.Hosts()
	shares, surplus := r.split()
	if err := r.cut(r.out, shares, func() time.Time { return time.Time{} }); err != nil {
		return err
	}
	return r.cut(r.again, surplus, func() time.Time {
		r.held++
		return r.start.Add(time.Duration(r.held) * r.options.hold)
	})
}

// split returns the records within their host's share and the records above it. If nothing is held,
// it returns all records as the first kind. Nothing is held without -hold, and nothing is held if
// half of the hosts or more exceed their share, because the delay would then hit most hosts.
func (r *run) split() (shares, surplus []int32) {
	counts, above := make([]int, r.hosts), 0
	for _, h := range r.host {
		if counts[h]++; counts[h] == r.options.perHost+1 {
			above++
		}
	}
	r.holds = r.holds || r.options.hold > 0 && r.options.perHost > 0 && 2*above < r.hosts
	clear(counts)
	for rec, h := range r.host {
		if counts[h]++; r.holds && counts[h] > r.options.perHost {
			surplus = append(surplus, int32(rec))
		} else {
			shares = append(shares, int32(rec))
		}
	}
	return shares, surplus
}

// cut writes records to parts of to. It calls due for the due time of each part; the zero time
// means at once.
func (r *run) cut(to *outlet, records []int32, due func() time.Time) error {
	if len(records) == 0 {
		return nil
	}
	counts, hosts := make([]int, r.hosts), 0
	for _, rec := range records {
		h := r.host[rec]
		if counts[h]++; counts[h] == 1 {
			hosts++
		}
	}
	// Use at most half of the remaining part numbers: more records may follow.
	parts, p := pack(records, r.host, counts, r.options.urls, r.options.perHost, max(1, to.parts.Left()/2))
	for _, part := range parts {
		if err := r.write(to, part, due()); err != nil {
			return err
		}
	}
	if p.parts > 2*p.urls && !r.noted {
		r.noted = true
		const note = "-per-host %d cuts %d URLs of %d hosts into %d parts of %d; -urls alone would make %d"
		r.env.Report.Note(fmt.Sprintf(note, r.options.perHost, len(records), hosts, p.parts, p.size, p.urls))
	}
	return nil
}

// write writes one part.
func (r *run) write(to *outlet, part []int32, due time.Time) error {
	for _, i := range part {
		rec := r.records.Record(int(i))
		if err := to.out.Write(&rec); err != nil {
			return err
		}
	}
	path := to.out.Path()
	if err := to.out.Cut(); err != nil {
		return err
	}
	if !due.IsZero() && path != output.Stdout {
		r.env.Report.Later(path, due)
	}
	return nil
}
