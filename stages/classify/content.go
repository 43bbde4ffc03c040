package main

import (
	"multitext/stages/internal/nodes"
	"multitext/stages/internal/warc"
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
