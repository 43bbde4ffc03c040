package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// entry is a crawler with its crawls, one for each round.
type entry struct {
	*crawler
	outings []*outing
	watched *outing // in round 0, or nil
}

func (e *entry) add(o *outing, watched bool) {
	if watched {
		e.watched = o
		return
	}
	e.outings = append(e.outings, o)
}

// compare has webs of all sizes crawled, one after the other, and prints what that took.
func compare(ctx context.Context, o *options, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp(o.dir, "multitext-bench-")
	if err != nil {
		return fmt.Errorf("make a folder to work in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var all []*result
	for _, s := range o.sizes() {
		r, err := compareAt(ctx, o, s, dir, stdout, stderr)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	if len(all) < 2 || o.json {
		return nil
	}
	return printSizes(stdout, all)
}

// compareAt has a web of one size crawled. It returns nil after a crawl of -tail.
func compareAt(ctx context.Context, o *options, s size, dir string, stdout, stderr io.Writer) (*result, error) {
	address := "127.0.0.1:0"
	if o.inside {
		address = "127.0.0.1:80"
	}
	var more []string
	if o.tail {
		more = []string{"-speeds", tailSpeeds}
	}
	w, err := startWeb(ctx, o.bin, address, s, more...)
	if err != nil {
		return nil, err
	}
	defer w.stop()
	if o.tail {
		return nil, tailOf(ctx, o, s, dir, w, stdout, stderr)
	}
	r, err := turns(ctx, o, s, dir, w, stderr)
	if err != nil {
		return nil, err
	}
	if o.json {
		return r, writeJSON(stdout, r)
	}
	return r, r.print(stdout)
}

// turns lets all crawl in turn, in each round another one first.
func turns(ctx context.Context, o *options, s size, dir string, w *web, stderr io.Writer) (*result, error) {
	entries := o.entries(stderr)
	for round := range o.rounds + 1 {
		watched := round == 0
		if watched && !o.watch {
			continue
		}
		for i := range entries {
			e := entries[(round+i)%len(entries)]
			crawled, err := e.crawlOnce(ctx, dir, w, s.pages, watched)
			if err != nil {
				return nil, err
			}
			e.add(crawled, watched)
			fmt.Fprintf(stderr, "%s pages, round %d of %d: %s, %.1f s\n", number(float64(s.pages), 0), round, o.rounds,
				e.name, crawled.wall.Seconds())
		}
	}
	return newResult(o, s, dir, entries, w.address), nil
}

// entries are all that crawl, multitext first and the floor behind it.
func (o *options) entries(stderr io.Writer) []*entry {
	all := []*entry{{crawler: ours("multitext", o.bin, o.script, "crawl.toml")}, {crawler: floor(o.bin)}}
	if o.window {
		for _, c := range o.windowed() {
			all = append(all, &entry{crawler: c})
		}
	}
	for _, b := range o.builds {
		all = append(all, &entry{crawler: ours(b.name, b.bin, o.script, "crawl.toml")})
	}
	for _, p := range o.peers {
		if _, err := exec.LookPath(p.command("", "")[0]); err != nil {
			fmt.Fprintf(stderr, "bench: %s is left out: %v\n", p.name, err)
			continue
		}
		all = append(all, &entry{crawler: p})
	}
	return all
}
