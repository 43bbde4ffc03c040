package waiting

import (
	"bytes"
	"slices"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/ordered"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/registered"
)

// A ledger is the links of a run, until they are counted, and the standings of the URLs that the run
// has to do with.
type ledger struct {
	links     []link
	standings map[ordered.Key]*standing
}

// A link is a record of a run: one that is to wait, or one of a URL that is known, which is counted
// and no more.
type link struct {
	to, from ordered.Key // URLs; from is zero if no page is known on which the link is, or cash is not passed on
	counts   bool        // it is a link from another page
	times    int32       // how often: another crawler may have summed up links
	other    bool        // that is of another registered domain
	seed     bool        // it is a record without a page
	enters   bool        // its record is to wait
	score    float32     // of its record; 0 where the order does not go by it
}

// Link takes in a record of a URL that is known already. Where links are counted it counts, and its
// score where the order goes by that.
func (s *State) Link(rec *urlbatch.Record) error {
	if !s.meta.follows {
		return nil
	}
	if host := canon.Hostname(rec.URLBytes()); len(host) > 0 {
		s.links.links = append(s.links.links, linkOf(s.set.Hash(), host, rec, s.rules.Links))
	}
	return s.relieveArrived()
}

// standingBytes is what a standing takes, about.
const standingBytes = 200

// cash tells whether cash is passed on.
func (s *State) cash() bool { return s.rules.Links != nil && s.rules.Links.Cash() }

// linkOf is the link that a record stands for; by is nil where the order has no rising parts. A page
// that links to itself is no page.
func linkOf(hash *keyed.Hash, host []byte, rec *urlbatch.Record, by *order.Order) link {
	k := link{to: urlKey(hostKey(hash.Sum(host)), hash.Sum(rec.URLBytes()))}
	if by != nil && by.Scored() {
		k.score = order.Score(rec)
	}
	via, ok := rec.Raw(urlbatch.Via)
	if bytes.IndexByte(via, '%') >= 0 {
		text, _ := rec.Get(urlbatch.Via)
		via = []byte(text)
	}
	page := canon.Hostname(via)
	k.seed = !ok
	if len(page) == 0 || bytes.Equal(via, rec.URLBytes()) {
		return k
	}
	k.counts, k.times = true, int32(rec.Times())
	k.other = !bytes.Equal(page, host) && !bytes.Equal(registered.Domain(via), registered.Domain(rec.URLBytes()))
	if by != nil && by.Cash() {
		k.from = urlKey(hostKey(hash.Sum(page)), hash.Sum(via))
	}
	return k
}

// of returns the standing of a URL, which look has read.
func (l *ledger) of(key ordered.Key) *standing { return l.standings[key] }

// look reads the standings of all URLs of the links: by one walk, in the order of their keys.
func (l *ledger) look(set *ordered.Set) error {
	keys := make([]ordered.Key, 0, len(l.links))
	for i := range l.links {
		keys = append(keys, l.links[i].to)
		if from := l.links[i].from; from != (ordered.Key{}) {
			keys = append(keys, from)
		}
	}
	slices.SortFunc(keys, ordered.Key.Compare)
	keys = slices.Compact(keys)
	known, made := set.Finder(), make([]standing, len(keys))
	for i, key := range keys {
		if l.standings[key] != nil {
			continue
		}
		value, ok, err := known.Get(key)
		if err != nil {
			return err
		}
		if ok {
			if err := made[i].unpack(value); err != nil {
				return err
			}
		}
		made[i].key, l.standings[key] = key, &made[i]
	}
	return nil
}

// save adds the standings that changed to what is written.
func (l *ledger) save(b *ordered.Entries) {
	var all []byte
	for key, t := range l.standings {
		if t.changed {
			from := len(all)
			all = t.pack(all)
			b.Add(key, all[from:len(all):len(all)])
		}
	}
}
