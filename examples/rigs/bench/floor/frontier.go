package main

import "sync"

// frontier is what is to be fetched, and the seen-set.
type frontier struct {
	mu      sync.Mutex
	changed sync.Cond
	seen    map[target]bool
	queue   []target
	working int // taken and not done
	robots  map[string]*robots
}

// target is a URL of the scheme http: its host and its path with the query.
type target struct{ host, path string }

func newFrontier() *frontier {
	f := &frontier{seen: map[target]bool{}, robots: map[string]*robots{}}
	f.changed.L = &f.mu
	return f
}

// add queues those of us that are new.
func (f *frontier) add(us []target) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, u := range us {
		if !f.seen[u] {
			f.seen[u] = true
			f.queue = append(f.queue, u)
			f.changed.Signal()
		}
	}
}

// next takes the oldest; it waits while there is none and others may still find some.
func (f *frontier) next() (target, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 && f.working > 0 {
		f.changed.Wait()
	}
	if len(f.queue) == 0 {
		return target{}, false
	}
	u := f.queue[0]
	f.queue = f.queue[1:]
	f.working++
	return u, true
}

// done ends what next began.
func (f *frontier) done() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.working--
	if f.working == 0 && len(f.queue) == 0 {
		f.changed.Broadcast()
	}
}

// stop lets next return false for all.
func (f *frontier) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue, f.working = nil, 0
	f.changed.Broadcast()
}

// rules are those of a host, fetched over c when it is asked for first. Two may fetch them at once.
func (f *frontier) rules(host string, c *conn) (*robots, error) {
	f.mu.Lock()
	r := f.robots[host]
	f.mu.Unlock()
	if r != nil {
		return r, nil
	}
	a, err := c.get(target{host, "/robots.txt"})
	if err != nil {
		return nil, err
	}
	r = &robots{}
	if a.status == 200 {
		r = parseRobots(string(a.body))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.robots[host] = r
	return r, nil
}
