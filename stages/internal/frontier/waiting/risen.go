package waiting

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// rise puts URLs that wait into better bands, where links have lifted them so far.
func (s *State) rise() error {
	if s.rules.Links == nil {
		return nil
	}
	var risen []*standing
	for i := range s.links.links {
		k := &s.links.links[i]
		if t := s.links.of(k.to); t.mode == waits && s.lift(t) < t.band {
			risen = append(risen, t)
		}
	}
	slices.SortFunc(risen, func(a, b *standing) int {
		return cmp.Or(cmp.Compare(a.key.Hi, b.key.Hi), cmp.Compare(a.band, b.band), cmp.Compare(a.at, b.at))
	})
	for _, t := range slices.Compact(risen) {
		r, err := s.row(t.key.Hi)
		if err != nil {
			return err
		}
		if r == nil {
			return fmt.Errorf("state of the frontier: a URL of host %016x waits, and the host has no row", t.key.Hi)
		}
		band := s.lower(r, s.lift(t))
		if band >= t.band {
			continue
		}
		line, err := s.record(r, t.band, t.at)
		if err != nil {
			return err
		}
		short := appendLine(nil, []byte(r.name), line)
		s.stand(r, t, band, short, len(short))
		if err := s.relieve(); err != nil {
			return err
		}
	}
	return nil
}

// record returns the record at a place of a queue.
func (s *State) record(r *row, band uint8, at uint64) (line []byte, err error) {
	taken := s.meta.gone
	defer func() { s.meta.gone = taken }() // the record stays where it is
	q := queue{band: band, head: at, tail: at + 1, fresh: r.queue(band).fresh}
	err = s.walk(r, &q, func() bool { return q.head < q.tail }, func(text []byte) error {
		line = bytes.Clone(text)
		return nil
	})
	return line, err
}

// live tells whether the record at the head of a queue is that of its URL; else it is stale. t is the
// URL's standing, nil where links are not counted.
func (s *State) live(r *row, q *queue, line []byte) (t *standing, ok bool, err error) {
	if !s.meta.follows {
		return nil, true, nil
	}
	key := urlKey(r.host, s.set.Hash().Sum(urlOf(line)))
	if t = s.links.standings[key]; t == nil {
		t = &standing{key: key}
		value, ok, err := s.set.Get(key)
		if err == nil && ok {
			err = t.unpack(value)
		}
		if err != nil {
			return nil, false, fmt.Errorf("state of the frontier: URL %v: %w", key, err)
		}
	}
	return t, t.mode == unknown || t.mode == waits && t.band == q.band && t.at == q.head, nil
}

// leaves tells whether the record at the head of a queue is handed out, and notes that. One that is
// stale is passed over.
func (s *State) leaves(r *row, q *queue, line []byte) (bool, error) {
	t, ok, err := s.live(r, q, line)
	if err != nil || t == nil {
		return ok, err
	}
	if !ok {
		s.passStale(r)
		return false, nil
	}
	t.mode, t.changed = gone, true
	s.links.standings[t.key] = t
	return true, nil
}

// passStale notes that a stale record was passed over. One that waits since before links were
// followed may be stale without being noted as such; it counts as handed out.
func (s *State) passStale(r *row) {
	if r.stale > 0 {
		r.stale--
	}
	if s.meta.stale > 0 {
		s.meta.stale--
	} else {
		s.meta.taken++
	}
}

// urlOf is the URL of a record's line.
func urlOf(line []byte) []byte {
	url, _, _ := bytes.Cut(line, []byte{'\t'})
	return url
}
