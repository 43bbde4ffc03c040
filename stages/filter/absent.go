package main

import (
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// absent collects the hosts of which recheck lets no URL pass. Neither resolve nor fetch hears of
// these. If nobody told the frontier of them, it would wait for them as for hosts that are asked, and
// a crawler that leaves would send on what waits only as slowly as it would have fetched it. The nil
// absent collects nothing.
type absent struct {
	hosts map[string]*rechecked
	order []*rechecked // in order of first appearance
}

// rechecked is a host whose URLs were checked.
type rechecked struct {
	visits.Visit
	stays bool // a URL of it passed
}

// newAbsent returns nil if path, that of -visits, is "".
func newAbsent(path string) *absent {
	if path == "" {
		return nil
	}
	return &absent{hosts: map[string]*rechecked{}}
}

// add notes whether a URL has passed.
func (a *absent) add(rec *urlbatch.Record, stays bool) {
	host := canon.Hostname(rec.URLBytes())
	if a == nil || len(host) == 0 {
		return
	}
	h := a.hosts[string(host)]
	if h == nil {
		h = &rechecked{Visit: visits.Visit{Host: string(host)}}
		a.hosts[h.Host] = h
		a.order = append(a.order, h)
	}
	h.Unready++
	h.stays = h.stays || stays
}

// write writes a visit of each host of which no URL has passed.
func (a *absent) write(env *stage.Env, path string) error {
	if a == nil {
		return nil
	}
	w := urlbatch.NewWriter(env.Files, path, env.Report.Made) // hosts are not records of the input
	var rec urlbatch.Record
	for _, h := range a.order {
		if h.stays {
			continue
		}
		h.Encode(&rec)
		if err := w.Write(&rec); err != nil {
			return err
		}
	}
	return w.Close()
}
