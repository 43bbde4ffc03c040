package main

// turn is a host and the position that is its key in a queue.
type turn struct {
	key  int
	host *host
}

// queue is a heap of turns; the smallest key is first. (With container/heap every push would
// allocate, and each record needs two pushes.)
type queue []turn

func (q *queue) push(t turn) {
	*q = append(*q, t)
	h := *q
	i := len(h) - 1
	for i > 0 && t.key < h[(i-1)/2].key {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = t
}

// pop removes and returns the turn with the smallest key.
func (q *queue) pop() turn {
	h := *q
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	i := 0
	for {
		child := 2*i + 1
		if child+1 < len(h) && h[child+1].key < h[child].key {
			child++
		}
		if child >= len(h) || h[child].key >= last.key {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	return first
}
