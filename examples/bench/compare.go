package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// compare starts the web, has it crawled, and prints what that took.
func compare(ctx context.Context, o *options, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp(o.dir, "multitext-bench-")
	if err != nil {
		return fmt.Errorf("make a folder to work in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	address := "127.0.0.1:0"
	if o.inside {
		address = "127.0.0.1:80"
		hosts := filepath.Join(dir, "hosts")
		if err := writeHosts(hosts, o.hosts); err != nil {
			return err
		}
		if err := furnish(hosts); err != nil {
			return err
		}
	}
	var more []string
	if o.tail {
		more = []string{"-speeds", tailSpeeds}
	}
	w, err := startWeb(ctx, o.bin, address, o.hosts, o.pages/o.hosts, more...)
	if err != nil {
		return err
	}
	defer w.stop()
	if o.tail {
		return tailOf(ctx, o, dir, w, stdout)
	}
	return turns(ctx, o, dir, w, stdout, stderr)
}

// turns lets all crawl in turn.
func turns(ctx context.Context, o *options, dir string, w *web, stdout, stderr io.Writer) (err error) {
	entries := o.entries(stderr)
	for round := range o.rounds + 1 {
		watched := round == 0
		if watched && !o.watch {
			continue
		}
		for _, e := range entries {
			crawled, err := e.crawlOnce(ctx, dir, w, o.pages, watched)
			if err != nil {
				return err
			}
			e.add(crawled, watched)
			fmt.Fprintf(stderr, "round %d of %d: %s, %.1f s\n", round, o.rounds, e.name, crawled.wall.Seconds())
		}
	}
	r := newResult(o, dir, entries, w.address)
	if o.json {
		return writeJSON(stdout, r)
	}
	return r.print(stdout)
}

// entries are all that crawl, multitext first and the floor behind it.
func (o *options) entries(stderr io.Writer) []*entry {
	all := []*entry{{crawler: ours("multitext", o.bin, o.script)}, {crawler: floor(o.bin)}}
	for _, b := range o.builds {
		all = append(all, &entry{crawler: ours(b.name, b.bin, o.script)})
	}
	for _, name := range o.peers {
		p := findPeer(name)
		if _, err := exec.LookPath(p.command("", "")[0]); err != nil {
			fmt.Fprintf(stderr, "bench: %s is left out: %v\n", name, err)
			continue
		}
		all = append(all, &entry{crawler: p})
	}
	return all
}
