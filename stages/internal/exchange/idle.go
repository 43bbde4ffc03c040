package exchange

import (
	"fmt"
	"net/netip"
	"sync"

	"multitext/stages/internal/canon"
)

// A poolKey names the connections that may serve a request: same scheme, host and addresses.
type poolKey struct {
	scheme, host string
	first        netip.AddrPort
	others       string // addresses
}

func poolKeyOf(r Request) poolKey {
	k := poolKey{scheme: canon.Scheme(r.URL), host: canon.Host(r.URL)}
	if len(r.Addrs) > 0 {
		k.first = r.Addrs[0]
	}
	if len(r.Addrs) > 1 {
		k.others = fmt.Sprint(r.Addrs[1:])
	}
	return k
}

// An idlePool holds connections on which no request is under way.
type idlePool struct {
	mu    sync.Mutex
	links map[poolKey]*link // the newest of each key; behind it the older ones
	held  int
	count int64 // of those that were ever put
}

// take returns the newest connection under key, nil if there is none.
func (p *idlePool) take(key poolKey) *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.links[key]
	if l == nil {
		return nil
	}
	if p.held--; l.older == nil {
		delete(p.links, key)
	} else {
		p.links[key] = l.older
	}
	l.older = nil
	return l
}

// put keeps l, and closes the one idle for longest if that makes more than limit.
func (p *idlePool) put(key poolKey, l *link, limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.links == nil {
		p.links = map[poolKey]*link{}
	}
	p.held, p.count = p.held+1, p.count+1
	l.key, l.parked, l.older = key, p.count, p.links[key]
	p.links[key] = l
	if p.held > limit {
		p.dropOldest()
	}
}

func (p *idlePool) dropOldest() {
	var oldest, before *link // before is the newer one of the same key
	for _, newest := range p.links {
		var newer *link
		l := newest
		for ; l.older != nil; l = l.older {
			newer = l
		}
		if oldest == nil || l.parked < oldest.parked {
			oldest, before = l, newer
		}
	}
	if p.held--; before == nil {
		delete(p.links, oldest.key)
	} else {
		before.older = nil
	}
	oldest.drop()
}

func (p *idlePool) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.links {
		for ; l != nil; l = l.older {
			l.drop()
		}
	}
	p.links, p.held = nil, 0
}
