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
	kept     *urlbatch.Writer
	rejected *urlbatch.Writer // nil: rejected records are counted
}

// restrict judges every record of the inputs. An empty path rejected counts what is rejected.
func restrict(ctx context.Context, env *stage.Env, sc scope, kept, rejected string) error {
	r := &run{env: env, scope: sc, kept: urlbatch.NewWriter(env.Files, kept, env.Report.Out)}
	if rejected != "" {
		r.rejected = urlbatch.NewWriter(env.Files, rejected, env.Report.Out)
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
	rule := r.scope.decide(&subject{url: c, depth: int(rec.Int(urlbatch.Depth))})
	if rule.keep {
		return r.kept.Write(rec)
	}
	return r.reject(rec, rule.name)
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
