package main

import (
	"encoding/binary"

	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/charset"
	"multitext/stages/internal/web/media"
	"multitext/stages/internal/web/near"
)

// byHash gives a page to the node that a hash of its body's digest chooses. The digest is the one
// by which xdup knows bodies, so that equal ones have one owner, where they meet: the thesis's
// content hash (section 3.1.1). What xdup does not judge has none, and stays: what is not 2xx, cut
// or empty answers, and revisits.
type byHash struct {
	set *nodes.Set
	me  *nodes.Node
}

func (p byHash) place(a *warc.Answer) (place, error) {
	sum, ok, err := a.WholeDigest()
	if err != nil || !ok {
		return place{node: p.me, kind: "not-judged"}, err
	}
	return place{node: p.set.ByHash(p.set.Sum(sum[:])), kind: "judged"}, nil
}

// byLikeness gives a page to the node that a hash of its normalised text chooses: the least hash of
// three words of it that stand together (package near). Texts of likeness j have the same with
// probability j, so most near-duplicates meet, as X4 (section 3) has it. What shows fewer than 32
// words goes by its body.
type byLikeness struct {
	byHash
	sketcher *near.Sketcher
	max      int64 // bytes of a page that are looked at
}

func (b byLikeness) place(a *warc.Answer) (place, error) {
	p, err := judge.FromAnswer(a, b.max)
	if err != nil {
		return place{}, err
	}
	if p.Body == nil {
		return b.byHash.place(a)
	}
	sketch := b.sketcher.Text
	if media.IsHTML(p.ContentType) || !media.Declared(p.ContentType) {
		sketch = b.sketcher.HTML
	}
	text, _, _ := charset.UTF8(p.Body, p.ContentType)
	if _, ok := sketch(text); !ok {
		return b.byHash.place(a)
	}
	least := binary.LittleEndian.AppendUint64(nil, b.sketcher.Least())
	return place{node: b.set.ByHash(b.set.Sum(least)), kind: "judged"}, nil
}
