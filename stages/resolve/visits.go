package main

import (
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// A tally collects for -visits the hosts of which the run lets no URL through: fetch does not hear of
// these. Without -visits the tally is nil and collects nothing.
type tally struct {
	hosts map[string]*told
	order []*told // in order of first appearance
}

// A told is what is told of a host, unless one of its URLs is ready.
type told struct {
	visits.Visit
	ready bool
}

func (o *options) tally() *tally {
	if o.visits == "" {
		return nil
	}
	return &tally{hosts: map[string]*told{}}
}

// add notes the outcome of a record at now. The host may be asked again when the first of its URLs may.
// It was not reached if a URL waits for that: not for its robots.txt, and not for a turn.
func (t *tally) add(rec *urlbatch.Record, o outcome, now time.Time) {
	host := canon.Hostname(rec.URLBytes())
	if t == nil || len(host) == 0 {
		return
	}
	h := t.hosts[string(host)]
	if h == nil {
		h = &told{Visit: visits.Visit{Host: string(host)}}
		t.hosts[h.Host] = h
		t.order = append(t.order, h)
	}
	h.Unready++
	h.ready = h.ready || o.addrs != nil
	if o.wait == 0 {
		return
	}
	if at := now.Add(o.wait); h.NotBefore.IsZero() || at.Before(h.NotBefore) {
		h.NotBefore = at
	}
	if o.reason != noTurn && !strings.HasPrefix(o.reason, robotsPrefix) {
		h.Unreached = o.reason
	}
}

// write writes what is told; no file if that is nothing.
func (t *tally) write(env *stage.Env, path string) error {
	if t == nil {
		return nil
	}
	w := urlbatch.NewWriter(env.Files, path, env.Report.Made) // hosts are not records of the input
	var rec urlbatch.Record
	for _, h := range t.order {
		if h.ready {
			continue
		}
		h.Encode(&rec)
		if err := w.Write(&rec); err != nil {
			return err
		}
	}
	return w.Close()
}
