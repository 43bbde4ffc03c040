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

// byHash assigns a page to a node by a hash of the digest of its body: the thesis's content hash
// (section 3.1.1). xdup identifies bodies by the same digest, so equal bodies have the same owner
// and meet there. Answers that xdup does not compare have no digest and stay: answers that are not
// 2xx, cut or empty answers, and revisits.
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

// byLikeness assigns a page to a node by a hash of its normalized text: the least hash of any three
// consecutive words (package near). Two texts of likeness j have the same least hash with
// probability j, so most near-duplicates have the same owner, as in X4 (section 3). A page that
// shows fewer than 32 words is assigned by its body.
type byLikeness struct {
	byHash
	sketcher *near.Sketcher
	max      int64 // bytes of a page that are examined
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
