package links

import (
	"bytes"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/state/seen"
	"multitext/stages/internal/web/registered"
)

// With Config.Sum this crawler tells the owner of a URL how many links to it were found: the second
// kind of message of Cho and Garcia-Molina ("Parallel crawlers", 2002), for orders that go by
// links. Links of others are summed up by URL, and one record is written for all, with the attribute
// inlinks=N if it stands for N > 1 links. The others end here with the reason summed. Links on pages
// of the URL's own registered domain are summed apart, because orders may not count them.
//
// The sums are those of a run, or of 131,072 links or 8 MB of them if there are more; so a URL is
// sent again when later runs find it. The owner's filter -known passes on what it has seen, and its
// frontier adds N. Each link counts once, whatever is killed: this run is a transaction, the ledger
// of the owner's gofer has each batch once, and its filter and frontier are transactions, too.
//
// Of the records that are summed up, the first with the greatest score stays; the pages of the others
// (via) are lost. So a sum carries no cash (order opic).

// Origins of a link, as frontier tells them apart.
const (
	nowhere   = 'n' // it is on no page, as a seed, or on the page to which it leads
	sameSite  = 's'
	otherSite = 'o'
)

// origin returns where a link is.
func origin(rec *urlbatch.Record) byte {
	text, ok := rec.Get(urlbatch.Via)
	via := []byte(text)
	switch {
	case !ok || bytes.Equal(via, rec.URLBytes()):
		return nowhere
	case bytes.Equal(registered.Domain(via), registered.Domain(rec.URLBytes())):
		return sameSite
	}
	return otherSite
}

// sumUp adds up the collected links with equal keys. The link whose verdict is seen.New stands for
// all of them, as s.times says. No link stands for more than frontier counts.
func (s *sender) sumUp(keys []uint64) ([]seen.Verdict, error) {
	verdicts := make([]seen.Verdict, len(keys))
	clear(s.first)
	for i, key := range keys {
		first, ok := s.first[key]
		if !ok || s.times[first]+s.times[i] > urlbatch.MaxInlinks {
			s.first[key] = i
			continue
		}
		last := i
		if s.score(i) > s.score(first) {
			s.first[key], first, last = i, i, first
		}
		s.times[first] += s.times[last]
		verdicts[last] = seen.Repeated
	}
	return verdicts, nil
}

// score returns the score of link i of theirs.
func (s *sender) score(i int) float64 {
	rec := s.theirs.Record(i)
	return rec.Share(urlbatch.Score)
}

// record returns link i of theirs as it is written.
func (s *sender) record(i int) urlbatch.Record {
	rec := s.theirs.Record(i)
	if s.Sum && s.times[i] > 1 {
		rec.SetInt(urlbatch.Inlinks, s.times[i])
	}
	return rec
}
