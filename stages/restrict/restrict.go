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
	domains  *domains // nil: hosts of a domain are not bounded
	kept     *urlbatch.Writer
	rejected *urlbatch.Writer // nil: rejected records are counted
	reasons  map[string]*rejects
	url      []byte // room for a canonical form
}

// restrict judges every record of the inputs.
func (o *options) restrict(ctx context.Context, env *stage.Env, sc scope) error {
	r := &run{env: env, scope: sc, kept: urlbatch.NewWriter(env.Files, o.kept, env.Report.Out), reasons: map[string]*rejects{}}
	r.subject.year = o.now.Year()
	if o.rejected != "" {
		r.rejected = urlbatch.NewWriter(env.Files, o.rejected, env.Report.Out)
	}
	if o.maxHosts > 0 {
		var err error
		if r.domains, err = openDomains(o.domains, env.Hash, o.maxHosts); err != nil {
			return err
		}
		defer r.domains.set.Close()
	}
	bad := func(rec *urlbatch.Record) error { return r.reject(rec, urlbatch.BadLine) }
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, bad, r.judge); err != nil {
		return err
	}
	if err := r.closeRejected(); err != nil {
		return err
	}
	if o.fresh != "" {
		if err := r.domains.save(env.Files, o.fresh, env.Report); err != nil {
			return err
		}
	}
	return r.kept.Close()
}

func (r *run) judge(rec *urlbatch.Record) error {
	var err error
	if r.url, err = canon.Append(r.url[:0], rec.URLBytes()); err != nil {
		return r.reject(rec, reasonOf(err))
	}
	if !bytes.Equal(r.url, rec.URLBytes()) {
		rec.SetURLBytes(r.url)
	}
	r.subject.set(rec)
	if rule := r.scope.decide(&r.subject); !rule.keep {
		return r.reject(rec, rule.name)
	}
	if r.domains != nil {
		_, linked := rec.Raw(urlbatch.Via)
		if in, err := r.domains.admit(rec.URLBytes(), !linked); err != nil {
			return err
		} else if !in {
			return r.reject(rec, trapHosts)
		}
	}
	return r.kept.Write(rec)
}

// rejects are the records that were rejected for one reason.
type rejects struct {
	n               int64
	example, remedy string // of the first
}

func (r *run) reject(rec *urlbatch.Record, reason string) error {
	all := r.reasons[reason]
	if all == nil {
		all = &rejects{0, rec.URL(), remedyOf(rec, reason)}
		r.reasons[reason] = all
	}
	all.n++
	if r.rejected == nil {
		return nil
	}
	rec.Set(urlbatch.Reason, reason)
	return r.rejected.Write(rec)
}

// closeRejected ends the rejected records and reports how many there are by each reason.
func (r *run) closeRejected() error {
	for reason, all := range r.reasons {
		if r.rejected == nil {
			r.env.Report.Reason(reason, all.n)
		} else {
			r.env.Report.Count("rejected-"+reason, all.n)
		}
		r.env.Report.Because(reason, all.n, all.example, all.remedy)
	}
	if r.rejected == nil {
		return nil
	}
	return r.rejected.Close()
}
