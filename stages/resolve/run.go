package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/robots"
)

// run is the body of the stage.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	token, err := robots.Token(o.agent)
	if err != nil {
		return stage.Usagef("-agent: %w", err)
	}
	if err := o.check(env.Inputs); err != nil {
		return stage.Usagef("%w", err)
	}
	if err := env.Ready(); err != nil {
		return err
	}
	if o.robots != "" {
		env.NoReport = true
		return judgeByFile(env.Stdout, o.robots, token, env.Inputs)
	}
	if o.explained {
		return o.explain(ctx, env, token)
	}
	defer stage.LimitMemory(memory)()
	j := o.newJudge(env)
	b, err := o.read(ctx, env, j)
	if err != nil {
		return err
	}
	c, err := openCache(o.hosts, env.Hash)
	if err != nil {
		return err
	}
	defer c.set.Close()
	if err := o.learn(ctx, env, c, b.origins); err != nil {
		return err
	}
	if err := o.readRobots(ctx, env, c, b, token); err != nil {
		return err
	}
	j.now = time.Now()
	for _, u := range b.urls {
		if err := j.judge(u, c.entries[u.origin]); err != nil {
			return err
		}
	}
	return errors.Join(j.tally.write(env, o.visits), j.close())
}

// readRobots parses the robots.txt of each known origin, one at a time. It judges the URLs of the
// origin, and writes the sitemaps of a robots.txt that this run has fetched.
func (o *options) readRobots(ctx context.Context, env *stage.Env, c *cache, b *batch, token string) error {
	maps, s := newSitemaps(env, o.sitemaps), newShares()
	for _, origin := range b.origins {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := c.entries[origin]
		if e == nil || e.kind != known {
			continue
		}
		if !s.left(origin) {
			delete(c.entries, origin)
			continue
		}
		text, err := c.codec.unzip(e.robots)
		if err != nil {
			return fmt.Errorf("judge URLs of %s: %w", origin, err)
		}
		s.spend(origin, int64(len(text)))
		rules := robots.Parse(text, token)
		decide(b.of[origin], rules, s)
		if e.renewed {
			if err := maps.add(origin, rules); err != nil {
				return err
			}
		}
	}
	return maps.close()
}

// A batch has the URLs of one run that have an origin, in input order.
type batch struct {
	urls    []*candidate
	origins []string // each once, in order of first appearance
	of      map[string][]*candidate
}

// badScheme is the reason of URLs without an origin.
const badScheme = "bad-scheme"

// read reads the inputs. It refuses records without an origin at once.
func (o *options) read(ctx context.Context, env *stage.Env, j *judge) (*batch, error) {
	b := &batch{of: map[string][]*candidate{}}
	err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, j.refused.TakeBad, func(rec *urlbatch.Record) error {
		origin := originOf(rec)
		if origin == "" {
			j.tally.add(rec, refused(badScheme), j.now)
			return j.refused.Take(rec, badScheme)
		}
		if b.of[origin] == nil {
			b.origins = append(b.origins, origin)
		}
		u := &candidate{rec: rec.Clone(), origin: origin}
		b.of[origin] = append(b.of[origin], u)
		b.urls = append(b.urls, u)
		return nil
	})
	return b, err
}

// originOf returns the scheme, host and port of a record's URL, or "" if the URL is not an HTTP
// URL.
func originOf(rec *urlbatch.Record) string {
	url := rec.URLBytes()
	scheme, host := canon.Scheme(url), canon.Host(url)
	if string(scheme) != "http" && string(scheme) != "https" || len(host) == 0 {
		return ""
	}
	return string(url[:len(scheme)+len("://")+len(host)])
}

// learn fills c for the origins, from the state and from the servers, and saves the new entries.
func (o *options) learn(ctx context.Context, env *stage.Env, c *cache, origins []string) error {
	p, err := o.newProber(env, c.codec)
	if err != nil {
		return err
	}
	defer p.client.Close()
	if err := c.load(origins); err != nil {
		return err
	}
	stale := c.stale(origins, p, time.Now())
	if err := o.renew(ctx, c, p, stale); err != nil {
		return err
	}
	env.Report.Count("origins", int64(len(origins)))
	env.Report.Count("origins-renewed", int64(len(stale)))
	if err := c.save(env.Files, o.fresh, o.ttl, env.Report); err != nil {
		return fmt.Errorf("save the state: %w", err)
	}
	return nil
}

func (j *judge) close() error {
	return errors.Join(j.ready.Close(), j.again.Close(), j.refused.Close())
}
