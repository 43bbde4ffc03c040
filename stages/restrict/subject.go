package main

import (
	"bytes"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// subject is a URL to which rules are applied. It is reused for the next URL, so that judging does
// not allocate. Values that its methods return are valid until the next call of set.
type subject struct {
	url    []byte // canonical URL
	scheme []byte
	host   []byte // host with port
	target []byte // path and query
	path   []byte
	rec    *urlbatch.Record // for the attributes
	year   int              // the current year

	// These are computed when a rule first needs them; empty before.
	parts [][]byte // non-empty segments
	surt  []byte

	lower []byte // buffer for ext
}

// newSubject returns a subject for a record whose URL is canonical.
func newSubject(rec *urlbatch.Record, year int) *subject {
	s := &subject{year: year}
	s.set(rec)
	return s
}

// set prepares s for rec, whose URL is canonical.
func (s *subject) set(rec *urlbatch.Record) {
	s.rec, s.url = rec, rec.URLBytes()
	s.scheme, s.host, s.target = canon.Split(s.url)
	s.path, _, _ = bytes.Cut(s.target, []byte("?"))
	s.parts, s.surt = s.parts[:0], s.surt[:0]
}

// rel returns the link's attribute rel, or "".
func (s *subject) rel() string {
	rel, _ := s.rec.Get(urlbatch.Rel)
	return rel
}

func (s *subject) depth() int { return int(s.rec.Int(urlbatch.Depth)) }

func (s *subject) length() int { return len(s.url) }

func (s *subject) hostname() []byte { return canon.Hostname(s.url) }

func (s *subject) SURT() []byte {
	if len(s.surt) == 0 {
		s.surt = canon.AppendSURT(s.surt, s.url)
	}
	return s.surt
}

// ext returns the extension of the path's last segment in lower case, or nil if it has none.
func (s *subject) ext() []byte {
	name := s.path[bytes.LastIndexByte(s.path, '/')+1:]
	dot := bytes.LastIndexByte(name, '.')
	if dot <= 0 {
		return nil
	}
	s.lower = s.lower[:0]
	for _, c := range name[dot+1:] {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		s.lower = append(s.lower, c)
	}
	return s.lower
}
