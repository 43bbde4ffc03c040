package simulate

// found takes a link, on a page that the crawler has fetched, to where it belongs.
func (w *crawler) found(l link) error {
	switch {
	case w.owner(l.to) == w:
		return w.take(l)
	case w.replicated[l.to]:
		w.Sent.Replicated++
	case w.Others == Drop:
		w.Sent.Dropped++
	case w.Others == Aside:
		w.Sent.Aside++
		w.aside = append(w.aside, l)
	default:
		w.held = append(w.held, l)
	}
	return nil
}

// owner is the crawler whose a page is: each other's, where crawlers are independent.
func (w *crawler) owner(page uint32) *crawler {
	if w.Owner == nil {
		return w
	}
	return w.crawlers[w.Owner(page)]
}

// follow takes in links that are aside, so many as are followed at once, until a page is new.
func (w *crawler) follow() error {
	for anew := false; !anew && len(w.aside) > 0; {
		n := min(max(w.Follow, 1), len(w.aside))
		for _, l := range w.aside[:n] {
			anew = anew || w.depth[l.to] == unknown
			if err := w.take(l); err != nil {
				return err
			}
		}
		w.aside = w.aside[n:]
	}
	return nil
}

// exchange sends what the crawlers hold for others.
func (c *crawl) exchange() {
	c.exchanges++
	c.since = 0
	for _, w := range c.crawlers {
		w.send()
	}
}

// send sends what a crawler holds, and counts it.
func (w *crawler) send() {
	to := map[*crawler]bool{}
	for _, l := range w.held {
		owner := w.owner(l.to)
		owner.sent = append(owner.sent, l)
		to[owner] = true
		last, ever := w.last[l.to]
		if w.Sent.Each++; !ever {
			w.Sent.Ever++
		}
		if last != w.exchanges {
			w.Sent.Batch++
			w.last[l.to] = w.exchanges
		}
	}
	w.Sent.Messages += uint64(len(to))
	w.held = w.held[:0]
}
