package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/simulate"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
)

// links is what was read: the graph of the pages, and what is known of them beside it.
type links struct {
	simulate.Graph
	page  map[string]uint32
	count int       // links in the graph
	seeds []uint32  // pages that have links with depth=1
	score []float64 // of each page, as the first link to it has it; nil: no link has one
	worth []float64 // of each page, 0 of one that was not judged; nil: none was judged
}

// A reader numbers all URLs of the links.
type reader struct {
	number map[string]uint32
	urls   []string
	links  [][]uint32 // of each URL
	seed   []bool     // it has a link with depth=1
	via    []bool     // it is a page: of a link, or one that was judged
	met    []bool     // a link to it was read
	score  []float64  // that the first of these has
	scored bool       // a link has a score
	worth  []float64  // of each URL
	judged bool       // a record has a worth
}

// readLinks reads the inputs.
func readLinks(ctx context.Context, env *stage.Env) (*links, error) {
	r := &reader{number: map[string]uint32{}}
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, nil, r.take); err != nil {
		return nil, err
	}
	l := r.graph()
	if len(l.URLs) == 0 {
		return nil, errors.New("no link has via=, and no page worth=: these are no links as extract writes them")
	}
	return l, nil
}

// take takes in a link, or what a page was worth.
func (r *reader) take(rec *urlbatch.Record) error {
	via, ok := rec.Get(urlbatch.Via)
	url, err := canon.Parse(rec.URL())
	if err == nil && rec.Has(urlbatch.Worth) {
		r.judge(r.of(url), rec)
		return nil
	}
	if !ok || err != nil || len(canon.Hostname([]byte(via))) == 0 {
		return nil
	}
	from, to := r.of(via), r.of(url)
	r.links[from], r.via[from] = append(r.links[from], to), true
	r.seed[from] = r.seed[from] || rec.Int(urlbatch.Depth) == 1
	if text, ok := rec.Get(urlbatch.Score); ok && !r.met[to] {
		r.score[to], _ = strconv.ParseFloat(text, 64)
		r.scored = true
	}
	r.met[to] = true
	return nil
}

// judge takes in what a URL was worth: it was fetched, so it is a page.
func (r *reader) judge(url uint32, rec *urlbatch.Record) {
	r.via[url], r.judged = true, true
	r.worth[url] = rec.Share(urlbatch.Worth)
}

// of is the number of a URL.
func (r *reader) of(url string) uint32 {
	n, ok := r.number[url]
	if !ok {
		n = uint32(len(r.urls))
		r.number[url] = n
		r.urls, r.links = append(r.urls, url), append(r.links, nil)
		r.seed, r.via = append(r.seed, false), append(r.via, false)
		r.met, r.score, r.worth = append(r.met, false), append(r.score, 0), append(r.worth, 0)
	}
	return n
}

// graph leaves out what is no page.
func (r *reader) graph() *links {
	l := &links{page: map[string]uint32{}}
	renumbered := make([]uint32, len(r.urls))
	for i, url := range r.urls {
		if r.via[i] {
			renumbered[i] = uint32(len(l.URLs))
			l.page[url] = renumbered[i]
			l.URLs, l.score, l.worth = append(l.URLs, url), append(l.score, r.score[i]), append(l.worth, r.worth[i])
			if r.seed[i] {
				l.seeds = append(l.seeds, renumbered[i])
			}
		}
	}
	if !r.scored {
		l.score = nil
	}
	if !r.judged {
		l.worth = nil
	}
	met := make([]uint32, len(r.urls)) // by which page last, +1
	for i, all := range r.links {
		if !r.via[i] {
			continue
		}
		var some []uint32
		met[i] = uint32(i) + 1
		for _, to := range all {
			if r.via[to] && met[to] != uint32(i)+1 {
				met[to] = uint32(i) + 1
				some = append(some, renumbered[to])
			}
		}
		l.Links, l.count = append(l.Links, some), l.count+len(some)
	}
	return l
}

// seedsOf are the pages that crawls begin with: those in a file, or without one the seeds of the crawl.
func (o *options) seedsOf(ctx context.Context, env *stage.Env, l *links, file string) ([]uint32, error) {
	seeds := l.seeds
	if file != "" {
		var err error
		if seeds, err = l.read(ctx, env, file, nil); err != nil {
			return nil, fmt.Errorf("read the seeds: %w", err)
		}
	}
	if len(seeds) == 0 {
		return nil, errors.New("no seed is a page: no link has depth=1, or no URL of -seeds has links; " +
			"give -seeds FILE")
	}
	return seeds, nil
}

// read reads the URLs of a file, and returns those that are pages, each once. do, if it is not nil, sees
// their records.
func (l *links) read(ctx context.Context, env *stage.Env, file string,
	do func(page uint32, rec *urlbatch.Record) error) (pages []uint32, err error) {
	met := map[uint32]bool{}
	err = urlbatch.Each(ctx, []string{file}, env.Stdin, report.New(), nil, func(rec *urlbatch.Record) error {
		url, err := canon.Parse(rec.URL())
		page, ok := l.page[url]
		if err != nil || !ok {
			return nil
		}
		if !met[page] {
			met[page] = true
			pages = append(pages, page)
		}
		if do == nil {
			return nil
		}
		return do(page, rec)
	})
	return pages, err
}
