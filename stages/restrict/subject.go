package main

import (
	"errors"
	"strings"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/urlbatch"
)

// subject is a URL that rules judge.
type subject struct {
	url   string // canonical
	depth int
	rel   string
	year  int    // that it is now
	surt  string // once it was asked for
}

// newSubject makes a subject of a record whose URL is canonical.
func newSubject(rec *urlbatch.Record, year int) *subject {
	rel, _ := rec.Get(urlbatch.Rel)
	return &subject{url: rec.URL(), depth: int(rec.Int(urlbatch.Depth)), rel: rel, year: year}
}

func (s *subject) String() string { return s.url }

func (s *subject) scheme() string { return canon.Scheme(s.url) }

func (s *subject) host() string { return canon.Host(s.url) }

func (s *subject) hostname() string { return canon.Hostname(s.url) }

// target is path and query.
func (s *subject) target() string { return canon.Path(s.url) }

func (s *subject) path() string {
	path, _, _ := strings.Cut(s.target(), "?")
	return path
}

func (s *subject) SURT() string {
	if s.surt == "" {
		s.surt = canon.SURT(s.url)
	}
	return s.surt
}

// ext returns the extension of the path's last segment in lower case, "" if it has none.
func (s *subject) ext() string {
	path := s.path()
	name := path[strings.LastIndexByte(path, '/')+1:]
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return strings.ToLower(name[i+1:])
	}
	return ""
}

// segments returns the number of segments that are not empty.
func (s *subject) segments() int {
	n := 0
	for segment := range strings.SplitSeq(s.path(), "/") {
		if segment != "" {
			n++
		}
	}
	return n
}

// repeats returns how often the most frequent segment is in the path.
func (s *subject) repeats() int {
	count, most := map[string]int{}, 0
	for segment := range strings.SplitSeq(s.path(), "/") {
		if segment != "" {
			count[segment]++
			most = max(most, count[segment])
		}
	}
	return most
}

// ahead returns how many years the latest date in path and query lies ahead, 0 if it does not.
func (s *subject) ahead() int {
	_, latest := years(s.target())
	return max(0, latest-s.year)
}

// ago returns how many years the earliest date in path and query lies back, 0 if it does not.
func (s *subject) ago() int {
	earliest, _ := years(s.target())
	if earliest == 0 {
		return 0
	}
	return max(0, s.year-earliest)
}

// params returns the number of parameters in the query, which & or ; divide.
func (s *subject) params() int {
	_, query, ok := strings.Cut(s.target(), "?")
	if !ok || query == "" {
		return 0
	}
	return 1 + strings.Count(query, "&") + strings.Count(query, ";")
}

// canonical returns the canonical form of url, or the reason why it has none.
func canonical(url string) (string, string) {
	c, err := canon.Parse(url)
	switch {
	case err == nil:
		return c, ""
	case errors.Is(err, canon.ErrScheme):
		return "", "not-http"
	case errors.Is(err, canon.ErrHost):
		return "", "bad-host"
	case errors.Is(err, canon.ErrLength):
		return "", "too-long"
	}
	return "", "bad-url"
}
