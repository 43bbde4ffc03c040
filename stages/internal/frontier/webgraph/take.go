package webgraph

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// A portion is links that are taken in together.
type portion struct {
	*State
	ends    []end             // of the records
	numbers map[uint64]uint32 // by the hash of a URL
	urls    urls
	links   []uint64 // the page in the upper half, what it links to in the lower
}

// An end is the hashes of the two URLs of a record.
type end struct {
	to, from uint64 // from is 0 if the record is on no page
	judged   bool   // the record tells what its page was worth; the link that via= tells of has come by itself
}

// Take takes in the links that records stand for: from the page that via= names to the URL. A
// record without it is of a seed. One with worth= tells what its page was worth, and is no link.
func (s *State) Take(b *urlbatch.Buffer) error {
	if err := s.settle(); err != nil {
		return err
	}
	p := &portion{State: s, numbers: make(map[uint64]uint32, b.Len())}
	p.hash(b)
	if err := p.look(); err != nil {
		return fmt.Errorf("graph of pages: %w", err)
	}
	if err := p.number(b); err != nil {
		return err
	}
	return p.link()
}

// hash hashes the URLs of the records. Those of a page come together.
func (p *portion) hash(b *urlbatch.Buffer) {
	var last []byte
	var from uint64
	for i := range b.Len() {
		rec := b.Record(i)
		e := end{to: p.set.Hash().Sum(rec.URLBytes()), judged: rec.Has(urlbatch.Worth)}
		via := viaOf(&rec)
		if len(via) == 0 || e.judged {
			p.ends = append(p.ends, e)
			continue
		}
		if !bytes.Equal(via, last) {
			last, from = via, max(p.set.Hash().Sum(via), 1)
		}
		e.from = from
		p.ends = append(p.ends, e)
	}
}

// viaOf is the URL of the page that a link is on.
func viaOf(rec *urlbatch.Record) []byte {
	via, _ := rec.Raw(urlbatch.Via)
	if bytes.IndexByte(via, '%') >= 0 {
		text, _ := rec.Get(urlbatch.Via)
		via = []byte(text)
	}
	if !isURL(via) {
		return nil // of another program
	}
	return via
}

// isURL tells whether text can be the URL of a record, and has a host.
func isURL(text []byte) bool {
	strange := func(r rune) bool { return r <= ' ' || r > '~' }
	return len(canon.Hostname(text)) > 0 && text[0] != '#' && bytes.IndexFunc(text, strange) < 0
}

// look finds the numbers of the URLs that have one: by one walk, in the order of their keys.
func (p *portion) look() error {
	keys := make([]uint64, 0, 2*len(p.ends))
	for _, e := range p.ends {
		if keys = append(keys, e.to); e.from != 0 {
			keys = append(keys, e.from)
		}
	}
	slices.Sort(keys)
	walk := p.set.Cursor()
	for _, key := range slices.Compact(keys) {
		if err := walk.Seek(keyOf(ofNumber, key)); err != nil {
			return err
		}
		at, value, ok, err := walk.Next()
		if err != nil {
			return err
		}
		if !ok || at != keyOf(ofNumber, key) {
			continue
		}
		if p.numbers[key], err = numberOf(value); err != nil {
			return err
		}
	}
	return nil
}

// number gives each URL without a number the next one.
func (p *portion) number(b *urlbatch.Buffer) error {
	for i, e := range p.ends {
		rec := b.Record(i)
		if e.from != 0 {
			if err := p.meet(e.from, viaOf, &rec); err != nil {
				return err
			}
		}
		if err := p.meet(e.to, (*urlbatch.Record).URLBytes, &rec); err != nil {
			return err
		}
		if e.judged {
			p.fresh.Add(keyOf(ofWorth, uint64(p.numbers[e.to])), judgementOf(&rec).pack())
		}
		if from, to := p.numbers[e.from], p.numbers[e.to]; e.from != 0 && from != to {
			p.links = append(p.links, uint64(from)<<32|uint64(to))
		}
	}
	p.urls.flush(p.fresh)
	return nil
}

// meet numbers the URL of a record that has this hash.
func (p *portion) meet(key uint64, url func(*urlbatch.Record) []byte, rec *urlbatch.Record) error {
	if _, ok := p.numbers[key]; ok {
		return nil
	}
	if p.whole.pages == mostPages {
		return fmt.Errorf("graph of pages: it has %d pages, and no number is left for another", p.whole.pages)
	}
	n := uint32(p.whole.pages)
	p.whole.pages++
	p.numbers[key] = n
	p.fresh.Add(keyOf(ofNumber, key), binary.AppendUvarint(nil, uint64(n)))
	p.urls.add(n, url(rec), p.fresh)
	return nil
}
