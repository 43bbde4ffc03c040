package exchange

import (
	"slices"
	"sync"
	"time"

	"multitext/stages/internal/web/canon"
)

// An idlePool holds idle connections.
type idlePool struct {
	mu    sync.Mutex
	links map[string][]*link // by scheme and host, those idle for longest first
	n     int                // links
	swept time.Time          // when the dead were last looked for
}

// originOf returns the scheme and the host of a request.
func originOf(r Request) string { return r.URL[:len(r.URL)-len(canon.Path(r.URL))] }

// take returns the newest connection that was opened for the same server as r's, or nil if there is
// none.
func (p *idlePool) take(r Request) *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	origin := originOf(r)
	links := p.links[origin]
	for i, l := range slices.Backward(links) {
		if slices.Equal(l.addrs, r.Addrs) {
			p.set(origin, slices.Delete(links, i, i+1))
			return l
		}
	}
	return nil
}

// set sets the links of origin.
func (p *idlePool) set(origin string, links []*link) {
	p.n += len(links) - len(p.links[origin])
	if len(links) == 0 {
		delete(p.links, origin)
	} else {
		p.links[origin] = links
	}
}

// dead is the maximum time that a connection is kept idle. Hardly any server waits longer.
const dead = time.Minute

// put keeps l, which r has used, if that makes no more than limit. Every connection in the pool
// waits for a request that will come, and hosts are asked in turn, so the next request over l comes
// last: to close another one for l would gain nothing, and with many hosts no connection would last
// until it is used.
func (p *idlePool) put(r Request, l *link, limit int, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.n >= limit {
		p.sweep(now)
	}
	if p.n >= limit {
		l.conn.Close()
		return
	}
	if p.links == nil {
		p.links = map[string][]*link{}
	}
	l.parked = now
	origin := originOf(r)
	p.set(origin, append(p.links[origin], l))
}

// sweep closes connections that were idle for too long. It checks them at most once a second.
func (p *idlePool) sweep(now time.Time) {
	if now.Sub(p.swept) < time.Second {
		return
	}
	p.swept = now
	p.closeIf(func(l *link) bool { return now.Sub(l.parked) >= dead })
}

func (p *idlePool) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeIf(func(*link) bool { return true })
}

func (p *idlePool) closeIf(gone func(*link) bool) {
	for origin, links := range p.links {
		p.set(origin, slices.DeleteFunc(links, func(l *link) bool {
			if gone(l) {
				l.conn.Close()
				return true
			}
			return false
		}))
	}
}
