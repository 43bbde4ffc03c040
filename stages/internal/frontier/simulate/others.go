package simulate

// found takes a link, on a page that the crawler has fetched, to where it belongs: as classify links does.
func (w *crawler) found(l link) error {
	switch {
	case w.owner(l.to) == w:
		return w.take(l)
	case w.Others == Drop:
		w.Sent.Dropped++
	case w.Others == Aside:
		w.setAside(l)
	case w.replicated[l.to]:
		w.Sent.Replicated++
	default:
		w.held = append(w.held, l)
	}
	return nil
}

// setAside puts a link aside, if it has put none to the page aside before.
func (w *crawler) setAside(l link) {
	if _, ever := w.last[l.to]; !ever {
		w.last[l.to] = w.exchanges
		w.aside = append(w.aside, l)
		w.Sent.Aside++
	}
}

// owner is the crawler whose a page is: each other's, where crawlers are independent.
func (w *crawler) owner(page uint32) *crawler {
	if w.Owner == nil {
		return w
	}
	return w.crawlers[w.Owner(page)]
}

// follow takes in links that are aside, so many as are followed at once.
func (w *crawler) follow() error {
	n := min(max(w.Follow, 1), len(w.aside))
	for _, l := range w.aside[:n] {
		if err := w.take(l); err != nil {
			return err
		}
	}
	w.aside = w.aside[n:]
	return nil
}
