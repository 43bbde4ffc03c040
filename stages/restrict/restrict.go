package main

import (
	"context"

	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

// run is one run of the stage.
type run struct {
	env      *stage.Env
	scope    scope
	year     int
	domains  *domains // nil: hosts of a domain are not bounded
	kept     *urlbatch.Writer
	rejected *urlbatch.Writer // nil: rejected records are counted
}

// restrict judges every record of the inputs.
func (o *options) restrict(ctx context.Context, env *stage.Env, sc scope) error {
	r := &run{env: env, scope: sc, year: o.now.Year(), kept: urlbatch.NewWriter(env.Files, o.kept, env.Report.Out)}
	if o.rejected != "" {
		r.rejected = urlbatch.NewWriter(env.Files, o.rejected, env.Report.Out)
	}
	if o.maxHosts > 0 {
		var err error
		if r.domains, err = openDomains(o.domains, o.maxHosts); err != nil {
			return err
		}
		defer r.domains.set.Close()
	}
	bad := func(rec *urlbatch.Record) error { return r.reject(rec, urlbatch.BadLine) }
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, bad, r.judge); err != nil {
		return err
	}
	if r.rejected != nil {
		if err := r.rejected.Close(); err != nil {
			return err
		}
	}
	if o.fresh != "" {
		if err := r.domains.save(env.Files, o.fresh, env.Report); err != nil {
			return err
		}
	}
	return r.kept.Close()
}

func (r *run) judge(rec *urlbatch.Record) error {
	url := rec.URL()
	c, reason := canonical(url)
	if reason != "" {
		return r.reject(rec, reason)
	}
	if c != url {
		rec.SetURL(c)
	}
	if rule := r.scope.decide(newSubject(rec, r.year)); !rule.keep {
		return r.reject(rec, rule.name)
	}
	if r.domains != nil {
		_, linked := rec.Get(urlbatch.Via)
		if in, err := r.domains.admit(c, !linked); err != nil {
			return err
		} else if !in {
			return r.reject(rec, trapHosts)
		}
	}
	return r.kept.Write(rec)
}

func (r *run) reject(rec *urlbatch.Record, reason string) error {
	if r.rejected == nil {
		r.env.Report.Reason(reason, 1)
		return nil
	}
	r.env.Report.Count("rejected-"+reason, 1)
	rec.Set(urlbatch.Reason, reason)
	return r.rejected.Write(rec)
}
