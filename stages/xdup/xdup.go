package main

import (
	"context"

	"multitext/stages/internal/formats/samelinks"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/web/near"
)

// A deduper is one run.
type deduper struct {
	flags
	known   *segment.Set
	fresh   map[digest]original // bodies that are new in this run
	places  map[uint64][]byte   // entries to which this run has added places
	like    *likeness           // nil without -near
	encoder warc.Encoder
	rep     *report.Report

	outputs []*warc.Writer // all writers below
	unique  *warc.Writer
	similar *warc.Writer // for near-duplicates; the same as unique without -aside
	copied  *warc.Writer // nil without -copies
}

// run reads env's inputs.
func (f flags) run(ctx context.Context, env *stage.Env) error {
	known, err := segment.OpenSet(f.digests, nil)
	if err != nil {
		return err
	}
	defer known.Close()
	x := &deduper{flags: f, known: known, fresh: map[digest]original{}, places: map[uint64][]byte{}, rep: env.Report}
	open := func(path string, done output.Done) *warc.Writer {
		w := warc.NewWriter(env.Files, path, done)
		x.outputs = append(x.outputs, w)
		return w
	}
	x.unique = open(f.unique, env.Report.Out)
	x.similar = x.unique
	if f.aside != "" {
		x.similar = open(f.aside, env.Report.Out)
	}
	if f.copies != "" {
		x.copied = open(f.copies, env.Report.Made)
	}
	if f.near > 0 {
		x.like = &likeness{f.near, near.NewSketcher(), known, map[uint64]uint64{}, map[uint64]warc.Original{}}
	}
	if err := warc.Each(ctx, env.Inputs, env.Stdin, env.Report, x.answer); err != nil {
		return err
	}
	for _, w := range x.outputs {
		if err := w.Close(); err != nil {
			return err
		}
	}
	return known.Append(env.Files, f.segment, x.entries(), env.Report)
}

// answer writes an answer or its revisit record.
func (x *deduper) answer(r *warc.Reader, a *warc.Answer) error {
	for _, w := range x.outputs {
		w.Info(r.Info())
	}
	sum, judged, err := a.WholeDigest()
	if err != nil {
		return err
	}
	if !judged {
		x.rep.Count("not-judged", 1)
		return x.unique.Write(a.Packed())
	}
	d := digest(sum)
	first, found, err := x.find(d)
	if err != nil {
		return err
	}
	if !found {
		return x.first(d, a)
	}
	if x.copied != nil {
		if err := x.handOn(d, a, first); err != nil {
			return err
		}
	}
	return x.duplicate(a, first.Original)
}

// find looks up a digest among the bodies of this run and the bodies known before.
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

// first writes the first copy of a body and remembers it.
func (x *deduper) first(d digest, a *warc.Answer) error {
	record := a.Record()
	first := original{Original: warc.Original{URL: record.URL()}}
	if x.copied != nil {
		first.reading = samelinks.Of(a, record)
	}
	date, err := a.Date()
	if err == nil {
		// A revisit record needs the date of the first copy.
		first.Date = date
		x.fresh[d] = first
	}
	if x.like != nil {
		return x.likeFirst(d, first.Original, a)
	}
	return x.unique.Write(a.Packed())
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
	return x.unique.Write(revisit)
}

// entries returns the entries that the run adds to the state.
func (x *deduper) entries() segment.Entries {
	var b segment.Entries
	for d, first := range x.fresh {
		b.Add(d.key(), encodeEntry(d, first))
	}
	for key, places := range x.places {
		b.Add(key, places)
	}
	if x.like != nil {
		for key, page := range x.like.fresh {
			b.Add(key, encodeNear(page))
		}
	}
	return b
}
