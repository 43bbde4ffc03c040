package sched

// A dueHeap returns the item that is due first. Ready items have no due time. Among them it returns
// the one whose file name sorts first, because a name is a priority.
type dueHeap []*pending

func (h dueHeap) Len() int { return len(h) }

func (h dueHeap) Less(i, j int) bool {
	if h[i].until.Equal(h[j].until) {
		return h[i].batch.Name < h[j].batch.Name
	}
	return h[i].until.Before(h[j].until)
}

func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dueHeap) Push(x any)   { *h = append(*h, x.(*pending)) }

func (h *dueHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return e
}
