package main

import (
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/visits"
)

// A tally is what the run learns of each host that it has URLs of, for -visits. The nil tally of a
// run without -visits notes nothing.
type tally struct {
	hosts map[string]*visits.Visit // Took is the sum of the answers
	order []*visits.Visit          // as first met
}

func (o *options) tally() *tally {
	if o.visits == "" {
		return nil
	}
	return &tally{hosts: map[string]*visits.Visit{}}
}

// meet notes that the run has a URL of host, which asks for that pause.
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

// failed notes that the request for v has no answer. A host that has answered is unreached if it
// could not be reached any more, and not if it broke off one of its answers.
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

// writeVisits writes the tally as it is at now, the end of the run.
func (r *round) writeVisits(env *stage.Env, now time.Time) error {
	if r.tally == nil {
		return nil
	}
	w := urlbatch.NewWriter(env.Files, r.o.visits, env.Report.Made) // hosts: of another unit than the input
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

// notBefore is when a host of the schedule may be asked again, as far as a run that began at now
// would know: it is held, or has had its share. It is zero where that is at once.
func (s *state) notBefore(host string, now time.Time) (at time.Time) {
	if held := s.load.Held(host); held.After(now) {
		at = held
	}
	if room, wait := s.load.Room(host, now); room == 0 && now.Add(wait).After(at) {
		at = now.Add(wait)
	}
	return at
}
