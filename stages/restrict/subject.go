package main

import (
	"bytes"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// subject is a URL that rules judge. It is used again for URL after URL, so that judging allocates nothing:
// what it returns is valid until the next set.
type subject struct {
	url    []byte // canonical
	scheme []byte
	host   []byte // with its port
	target []byte // path and query
	path   []byte
	rec    *urlbatch.Record // for the attributes
	year   int              // that it is now

	known asked
	parts [][]byte // segments that are not empty
	dates dates
	room  struct{ surt, ext []byte }
}

// asked are the things that are worked out when a rule first asks for them.
type asked uint8

const (
	itsParts asked = 1 << iota
	itsSURT
	itsDates
)

// once tells whether what is not yet known, and notes that it is from now on.
func (s *subject) once(what asked) bool {
	first := s.known&what == 0
	s.known |= what
	return first
}

// newSubject makes a subject of a record whose URL is canonical.
func newSubject(rec *urlbatch.Record, year int) *subject {
	s := &subject{year: year}
	s.set(rec)
	return s
}

// set makes s the subject of rec, whose URL is canonical.
func (s *subject) set(rec *urlbatch.Record) {
	s.rec, s.url, s.known = rec, rec.URLBytes(), 0
	s.scheme, s.host, s.target = canon.Split(s.url)
	s.path = s.target
	if query := bytes.IndexByte(s.target, '?'); query >= 0 {
		s.path = s.target[:query]
	}
}

// rel returns what the link is, if it says so.
func (s *subject) rel() string {
	rel, _ := s.rec.Get(urlbatch.Rel)
	return rel
}

func (s *subject) depth() int { return int(s.rec.Int(urlbatch.Depth)) }

func (s *subject) length() int { return len(s.url) }

func (s *subject) hostname() []byte { return canon.Hostname(s.url) }

func (s *subject) SURT() []byte {
	if s.once(itsSURT) {
		s.room.surt = canon.AppendSURT(s.room.surt[:0], s.url)
	}
	return s.room.surt
}

// ext returns the extension of the path's last segment in lower case, nil if it has none.
func (s *subject) ext() []byte {
	for i := len(s.path) - 1; i > 0 && s.path[i] != '/'; i-- {
		if s.path[i] == '.' && s.path[i-1] != '/' {
			return s.lower(s.path[i+1:])
		}
	}
	return nil
}

// lower returns ext, which is ASCII, in lower case.
func (s *subject) lower(ext []byte) []byte {
	s.room.ext = s.room.ext[:0]
	for _, c := range ext {
		s.room.ext = append(s.room.ext, lower(c))
	}
	return s.room.ext
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
