package simulate

// exchange sends what the crawlers hold for others.
func (c *crawl) exchange() {
	c.exchanges++
	c.since = 0
	for _, w := range c.crawlers {
		to := map[*crawler]bool{}
		for _, l := range w.outgoing() {
			owner := w.owner(l.to)
			owner.sent = append(owner.sent, l)
			to[owner] = true
		}
		w.Sent.Messages += uint64(len(to))
		w.held = w.held[:0]
	}
}

// outgoing are those of the links that a crawler holds which it sends. It counts them.
func (w *crawler) outgoing() (some []link) {
	for _, l := range w.held {
		last, ever := w.last[l.to]
		if w.Sent.Each++; !ever {
			w.Sent.Ever++
		}
		if last != w.exchanges {
			w.Sent.Batch++
		}
		if w.last[l.to] = w.exchanges; w.Sending == Each || w.Sending == Once && !ever {
			some = append(some, l)
		}
	}
	if w.Sending == Sum {
		some = w.summed()
		w.Sent.Sums += uint64(len(some))
	}
	return some
}

// summed are the links that a crawler holds, those to a page as one. Links from other domains than that of the page,
// which an order may count apart, are one of their own.
func (w *crawler) summed() (sums []link) {
	type kind struct {
		to    uint32
		other bool
	}
	domains, place := w.domains(), map[kind]int{}
	for _, l := range w.held {
		k := kind{l.to, domains[l.from] != domains[l.to]}
		i, ok := place[k]
		if !ok {
			place[k] = len(sums)
			sums = append(sums, l)
			continue
		}
		if sums[i].more++; w.Focus && w.Worth[l.from] > w.Worth[sums[i].from] {
			sums[i].from = l.from // it has the greatest score
		}
	}
	return sums
}
