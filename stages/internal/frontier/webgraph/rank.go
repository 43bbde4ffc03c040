package webgraph

import (
	"errors"
	"fmt"

	"multitext/stages/internal/frontier/centrality"
)

// memory is what package centrality is given, in bytes.
const memory = 64 << 20

// Rank ranks all pages and calls risen with each that is pending and has a greater score than it
// had (centrality.Score), in the order of their numbers. url is valid until risen returns.
func (s *State) Rank(risen func(url []byte, score float32) error) (o centrality.Outcome, err error) {
	if err := s.settle(); err != nil {
		return o, err
	}
	g, err := centrality.New(s.whole.pages, memory)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	if err := s.fill(g); err != nil {
		return o, fmt.Errorf("graph of pages: %w", err)
	}
	if o, err = g.Rank(centrality.Enough, centrality.Passes); err != nil {
		return o, err
	}
	c := &caller{column: column{State: s, kind: ofRanks}, before: s.reading(ofRanks), risen: risen,
		links: s.walk(ofLinks), names: names{urls: s.walk(ofURLs)}}
	if err := g.Each(c.page); err != nil {
		return o, fmt.Errorf("graph of pages: %w", err)
	}
	s.whole.ranked = s.whole.links
	return o, c.keep()
}

// fill gives g the links, and the ranks of the last time.
func (s *State) fill(g *centrality.Graph) error {
	var links []uint32
	err := s.each(ofLinks, func(page uint64, value []byte) (err error) {
		if links, err = unpackLinks(value, links[:0]); err != nil {
			return err
		}
		return g.Add(uint32(page), links)
	})
	if err != nil {
		return err
	}
	return s.each(ofRanks, func(_ uint64, value []byte) error { return eachValue(value, g.Start) })
}

// each calls do with the entries of a kind, and the lower halves of their keys.
func (s *State) each(kind uint64, do func(of uint64, value []byte) error) error {
	cursor := s.set.Cursor()
	err := cursor.Seek(keyOf(kind, 0))
	for err == nil {
		key, value, ok, problem := cursor.Next()
		if problem != nil || !ok || key.Hi != kind {
			return problem
		}
		if err = do(key.Lo, value); err != nil {
			err = fmt.Errorf("entry %v: %w", key, err)
		}
	}
	return err
}

// Each calls see with each page of the committed state: its URL, valid until see returns; its rank
// of the last time, 0 for a page that became known behind it; and whether it has links to other
// pages.
func (s *State) Each(see func(url []byte, rank float32, links bool) error) error {
	links, ranks, page := s.walk(ofLinks), s.reading(ofRanks), uint64(0)
	err := s.each(ofURLs, func(last uint64, value []byte) error {
		lines, _, err := unpackURLs(last, value, nil)
		if err != nil || page+uint64(len(lines)) != last+1 {
			return errors.Join(err, fmt.Errorf("%w: %d behind page %d", errURLs, len(lines), page))
		}
		for _, url := range lines {
			rank, err := ranks.at(page)
			if err != nil {
				return err
			}
			has, err := links.is(page)
			if err == nil {
				err = see(url, rank, has)
			}
			if err != nil {
				return err
			}
			page++
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("graph of pages: %w", err)
	}
	return nil
}
