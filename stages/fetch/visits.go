package main

import (
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/visits"
)

// A tally collects for -visits what the run learns about each host with URLs. Without -visits the
// tally is nil and collects nothing.
type tally struct {
	hosts map[string]*visits.Visit // here Took is the sum over all answers
	order []*visits.Visit          // in order of first appearance
}

func (o *options) tally() *tally {
	if o.visits == "" {
		return nil
	}
	return &tally{hosts: map[string]*visits.Visit{}}
}

// meet notes that the run has a URL of host. pause is its delay.
func (t *tally) meet(host string, pause time.Duration) {
	if t == nil {
		return
	}
	h := t.hosts[host]
	if h == nil {
		h = &visits.Visit{Host: host}
		t.hosts[host] = h
		t.order = append(t.order, h)
	}
	h.Pause = max(h.Pause, pause)
}

// answered notes an answer, whatever its status.
func (t *tally) answered(host string, res *result) {
	if t == nil {
		return
	}
	h := t.hosts[host]
	h.Asked++
	h.Answered++
	h.Bytes += res.bytes
	h.Took += res.took
	h.Address = res.answer.Remote.Addr().Unmap()
	h.Unreached = ""
}

// hasAnswer reports whether a host has answered.
func (t *tally) hasAnswer(host string) bool { return t != nil && t.hosts[host].Answered > 0 }

// failed notes that the request for v has no answer. A host that has answered before counts as
// unreached only if it can no longer be reached, not if one of its answers broke off.
func (t *tally) failed(v *target, reason string, reached bool) {
	if t == nil {
		return
	}
	h := t.hosts[v.host]
	h.Asked++
	h.Failed++
	if !reached || h.Answered == 0 {
		h.Unreached = reason
	}
	if v.address().IsValid() {
		h.Address = v.address()
	}
}

// writeVisits writes the tally at the end of the run, which is now.
func (r *round) writeVisits(env *stage.Env, now time.Time) error {
	if r.tally == nil {
		return nil
	}
	w := urlbatch.NewWriter(env.Files, r.o.visits, env.Report.Made) // hosts are not records of the input
	var rec urlbatch.Record
	for _, h := range r.tally.order {
		if h.Answered > 0 {
			h.Took /= time.Duration(h.Answered)
		}
		if pause, ok := r.schedule.Pause(h.Host); ok {
			h.Pause, h.NotBefore = pause, r.state.notBefore(h.Host, now)
		}
		h.Encode(&rec)
		if err := w.Write(&rec); err != nil {
			return err
		}
	}
	return w.Close()
}

// notBefore returns when a run that begins at now may request from the host again, because the host
// is held or has used its share. It returns zero if requests are allowed at once.
func (s *state) notBefore(host string, now time.Time) (at time.Time) {
	if held := s.load.Held(host); held.After(now) {
		at = held
	}
	if room, wait := s.load.Room(host, now); room == 0 && now.Add(wait).After(at) {
		at = now.Add(wait)
	}
	return at
}
