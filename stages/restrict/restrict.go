package main

import (
	"bytes"
	"context"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
)

// run is one run of the stage.
type run struct {
	env      *stage.Env
	scope    scope
	subject  subject
	domains  *domains // nil: no limit on the hosts of a domain
	kept     *urlbatch.Writer
	rejected *urlbatch.Exit
	url      []byte // buffer for a canonical URL
}

// restrict judges every record of the inputs.
func (o *options) restrict(ctx context.Context, env *stage.Env, sc scope) error {
	r := &run{env: env, scope: sc, kept: urlbatch.NewWriter(env.Files, o.kept, env.Report.Out),
		rejected: urlbatch.NewExit(env.Files, o.rejected, env.Report)}
	r.rejected.Counter, r.rejected.Remedy = "rejected-", remedyOf
	r.subject.year = o.now.Year()
	if o.maxHosts > 0 {
		var err error
		if r.domains, err = openDomains(o.domains, env.Hash, o.maxHosts); err != nil {
			return err
		}
		defer r.domains.set.Close()
	}
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, r.rejected.TakeBad, r.judge); err != nil {
		return err
	}
	if err := r.rejected.Close(); err != nil {
		return err
	}
	if r.domains != nil {
		if err := r.domains.save(env.Files, o.fresh, env.Report); err != nil {
			return err
		}
	}
	return r.kept.Close()
}

func (r *run) judge(rec *urlbatch.Record) error {
	var err error
	if r.url, err = canon.Append(r.url[:0], rec.URLBytes()); err != nil {
		return r.rejected.Take(rec, reasonOf(err))
	}
	if !bytes.Equal(r.url, rec.URLBytes()) {
		rec.SetURL(r.url)
	}
	r.subject.set(rec)
	if rule := r.scope.decide(&r.subject); !rule.keep {
		return r.rejected.Take(rec, rule.name)
	}
	if r.domains != nil {
		_, linked := rec.Raw(urlbatch.Via)
		if in, err := r.domains.admit(rec.URLBytes(), !linked); err != nil {
			return err
		} else if !in {
			return r.rejected.Take(rec, trapHosts)
		}
	}
	return r.kept.Write(rec)
}
