package main

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"multitext/stages/internal/formats/chart"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
)

// run is the stage's Body.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	c, segment, err := load(o.curve)
	if err != nil {
		return err
	}
	before := c.pages
	err = urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, nil, func(rec *urlbatch.Record) error {
		if !rec.Has(urlbatch.Worth) {
			env.Report.Reason("no-worth", 1)
			return nil
		}
		env.Report.Reason("counted", 1)
		c.add(rec.Share(urlbatch.Worth))
		return nil
	})
	if err != nil || c.pages == before {
		return err
	}
	now := c.now()
	env.Report.Gauge("pages", c.pages)
	env.Report.Gauge("permille-100", permille(now.mean100))
	env.Report.Gauge("permille-1000", permille(now.mean1000))
	env.Report.Gauge("permille-all", permille(now.all))
	alarm, err := o.watch(env, c)
	if err != nil {
		return err
	}
	if alarm || c.due() {
		if err := o.products(env, c); err != nil {
			return err
		}
	}
	if o.newSegment == "" {
		return nil
	}
	if segment != "" {
		env.Report.Replaces(segment)
	}
	return env.Files.WriteFile(o.newSegment, c.encode(), 1, env.Report.Made)
}

// permille is a share in thousandths.
func permille(v float64) int64 { return int64(math.Round(1000 * v)) }

// watch gives the alarm if the crawl stagnates, and has not since the alarm before.
func (o *options) watch(env *stage.Env, c *curve) (alarm bool, err error) {
	if c.pages < o.after {
		return false, nil
	}
	now := c.now()
	given := c.stagnant
	//failpoint:alarm-again given = false
	c.stagnant = now.mean1000 < o.least
	if !c.stagnant || given {
		return false, nil
	}
	env.Report.Count("stagnated", 1)
	env.Report.Note(fmt.Sprintf("the crawl stagnates: after %d pages the mean worth of the last %d is %.3f, below %g",
		c.pages, min(c.pages, wide), now.mean1000, o.least))
	if o.stagnant == "" {
		return true, nil
	}
	return true, env.Files.WriteFile(o.stagnant, table([]point{now}), 1, env.Report.Made)
}

// products writes the table and the picture of the curve.
func (o *options) products(env *stage.Env, c *curve) error {
	c.drawn = c.pages
	if o.tsv != "" {
		if err := env.Files.WriteFile(o.tsv, table(c.all()), 1, env.Report.Made); err != nil {
			return err
		}
	}
	return o.draw(env, []named{{"", c}})
}

// draw writes the picture of curves to -svg.
func (o *options) draw(env *stage.Env, curves []named) error {
	if o.svg == "" {
		return nil
	}
	var b bytes.Buffer
	if err := chart.Write(&b, 320, picture(curves)); err != nil {
		return err
	}
	return env.Files.WriteFile(o.svg, b.Bytes(), 1, env.Report.Made)
}

// table is points as the bytes of a table.
func table(points []point) []byte {
	var b bytes.Buffer
	writeTable(&b, points) // a Buffer gives no error
	return b.Bytes()
}
