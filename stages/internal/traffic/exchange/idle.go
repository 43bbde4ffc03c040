package exchange

import (
	"container/list"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"multitext/stages/internal/web/canon"
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
	order list.List         // of all, the one idle for longest first
}

// take returns the newest connection under key, nil if there is none.
func (p *idlePool) take(key poolKey) *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.links[key]
	if l == nil {
		return nil
	}
	if l.older == nil {
		delete(p.links, key)
	} else {
		p.links[key] = l.older
	}
	l.older = nil
	p.order.Remove(l.place)
	return l
}

// dead is how long a connection may be idle before it makes room for another: hardly a server waits longer.
const dead = time.Minute

// put keeps l from now on, if that makes no more than limit. Each that is kept is for a request that will come, and hosts are
// asked in turn: to let one go for l, of which the next request comes last, would gain nothing, and if there are many hosts
// no connection would last until it is used.
func (p *idlePool) put(key poolKey, l *link, limit int, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.order.Len() >= limit && !p.dropDead(now) {
		l.drop()
		return
	}
	if p.links == nil {
		p.links = map[poolKey]*link{}
	}
	l.key, l.older, l.parked = key, p.links[key], now
	l.place = p.order.PushBack(l)
	p.links[key] = l
}

// dropDead closes the connection idle for longest if that is too long.
func (p *idlePool) dropDead(now time.Time) bool {
	oldest := p.order.Front()
	if oldest == nil || now.Sub(oldest.Value.(*link).parked) < dead {
		return false
	}
	p.dropOldest()
	return true
}

// dropOldest closes the connection idle for longest, which is the last of its key.
func (p *idlePool) dropOldest() {
	oldest := p.order.Remove(p.order.Front()).(*link)
	if l := p.links[oldest.key]; l == oldest {
		delete(p.links, oldest.key)
	} else {
		for l.older != oldest {
			l = l.older
		}
		l.older = nil
	}
	oldest.drop()
}

func (p *idlePool) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.order.Len() > 0 {
		p.dropOldest()
	}
}
