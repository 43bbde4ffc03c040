package sim

import "math"

// An Order says which of the links in a crawler's queue comes first: that with the greatest score,
// from 0 to 1, in classes as those of the frontier's order score; in a class the oldest.
type Order struct {
	Score func(crawler, from, to int) float64 // of a link that a crawler follows; from is None of a seed
	Rises bool                                // a link met again gives a page that waits its score, if it is greater
}

// classes is how many there are; 0 is the first.
const classes = 64

// class is that of a link.
func (o *Order) class(crawler int, l link) uint8 {
	if o == nil {
		return 0
	}
	return uint8(math.Ceil((1 - min(max(o.Score(crawler, l.parent, l.page), 0), 1)) * (classes - 1)))
}

// A queue is what waits at a crawler.
type queue struct {
	waiting [classes][]link
	class   []uint8 // of each page, the best that it waits in; gone: it was taken out, or did never come
}

const gone = math.MaxUint8

func newQueue(pages int) *queue {
	q := &queue{class: make([]uint8, pages)}
	for page := range q.class {
		q.class[page] = gone
	}
	return q
}

// add adds a page; what it waited in before does not count any more.
func (q *queue) add(class uint8, l link) {
	q.class[l.page] = class
	q.waiting[class] = append(q.waiting[class], l)
}

// raise gives a page that waits a better class.
func (q *queue) raise(class uint8, l link) {
	if old := q.class[l.page]; old != gone && class < old {
		q.add(class, l)
	}
}

// next takes out the first; false: nothing waits.
func (q *queue) next() (link, bool) {
	for class := range q.waiting {
		for len(q.waiting[class]) > 0 {
			l := q.waiting[class][0]
			q.waiting[class] = q.waiting[class][1:]
			if q.class[l.page] == uint8(class) {
				q.class[l.page] = gone
				return l, true
			}
		}
	}
	return link{}, false
}
