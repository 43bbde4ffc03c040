package main

import (
	"context"

	"multitext/stages/internal/formats/samelinks"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

// xdup is the whole run.
func xdup(ctx context.Context, env *stage.Env, c config) error {
	set, err := segment.OpenSet(c.digests, nil)
	if err != nil {
		return err
	}
	defer set.Close()
	encoder := new(warc.Encoder)
	x := &deduper{
		drop:    c.drop,
		known:   set,
		fresh:   map[digest]original{},
		encoder: encoder,
		out:     warc.NewWriter(env.Files, c.unique, env.Report.Out),
		rep:     env.Report,
	}
	if c.near > 0 {
		x.near = newLikeness(c, env, set, x.out)
	}
	if c.copies != "" {
		x.copies = newCopies(c, env, set, encoder)
	}
	if err := warc.Each(ctx, env.Inputs, env.Stdin, env.Report, x.answer); err != nil {
		return err
	}
	if err := x.close(); err != nil {
		return err
	}
	return set.Append(env.Files, c.segment, x.entries(), env.Report)
}

type deduper struct {
	drop    bool
	known   *segment.Set
	fresh   map[digest]original // bodies first met in this run
	near    *likeness           // nil: only equal bodies are duplicates
	copies  *copies             // nil: nobody reads the links of duplicates
	encoder *warc.Encoder
	out     *warc.Writer
	rep     *report.Report
}

// answer passes an answer on, or what becomes of it.
func (x *deduper) answer(r *warc.Reader, a *warc.Answer) error {
	x.info(r.Info())
	sum, judged, err := a.WholeDigest()
	d := digest(sum)
	if err != nil {
		return err
	}
	if !judged {
		x.rep.Count("not-judged", 1)
		return x.out.Write(a.Packed())
	}
	first, found, err := x.find(d)
	if err != nil {
		return err
	}
	if !found {
		return x.first(d, a)
	}
	if x.copies != nil {
		if err := x.copies.offer(d, a, first); err != nil {
			return err
		}
	}
	return x.duplicate(a, first.Original)
}

// find looks a digest up among the bodies of this run and the ones known before.
func (x *deduper) find(d digest) (original, bool, error) {
	if first, ok := x.fresh[d]; ok {
		return first, true, nil
	}
	value, ok, err := x.known.Get(d.key())
	if err != nil || !ok {
		return original{}, false, err
	}
	return decodeEntry(d, value)
}

// first passes on the first copy of a body and remembers it.
func (x *deduper) first(d digest, a *warc.Answer) error {
	record := a.Record()
	first := original{Original: warc.Original{URL: record.URL()}}
	if x.copies != nil {
		first.reading = samelinks.Of(a, record)
	}
	date, err := a.Date()
	if err == nil {
		// Without its date a copy could not be referred to.
		first.Date = date
		x.fresh[d] = first
	}
	if x.near != nil {
		return x.likeFirst(d, first.Original, a)
	}
	return x.out.Write(a.Packed())
}

func (x *deduper) duplicate(a *warc.Answer, first warc.Original) error {
	if x.drop {
		x.rep.Reason("duplicate", 1)
		return nil
	}
	x.rep.Count("revisits", 1)
	revisit, err := x.encoder.Revisit(a, first)
	if err != nil {
		return err
	}
	return x.out.Write(revisit)
}

// info hands the warcinfo record on to what is written.
func (x *deduper) info(member []byte) {
	x.out.Info(member)
	if x.near != nil {
		x.near.out.Info(member)
	}
	if x.copies != nil {
		x.copies.out.Info(member)
	}
}

func (x *deduper) close() error {
	err := x.out.Close()
	if x.near != nil && err == nil {
		err = x.near.out.Close()
	}
	if x.copies != nil && err == nil {
		err = x.copies.out.Close()
	}
	return err
}
