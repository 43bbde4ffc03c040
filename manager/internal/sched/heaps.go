package sched

// readyHeap gives the entry whose file name sorts first: priority is a name.
type readyHeap []*entry

func (h readyHeap) Len() int           { return len(h) }
func (h readyHeap) Less(i, j int) bool { return h[i].batch.Name < h[j].batch.Name }
func (h readyHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *readyHeap) Push(x any)        { *h = append(*h, x.(*entry)) }
func (h *readyHeap) Pop() any          { return pop((*[]*entry)(h)) }

// heldHeap gives the entry that is due first.
type heldHeap []*entry

func (h heldHeap) Len() int           { return len(h) }
func (h heldHeap) Less(i, j int) bool { return h[i].until.Before(h[j].until) }
func (h heldHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heldHeap) Push(x any)        { *h = append(*h, x.(*entry)) }
func (h *heldHeap) Pop() any          { return pop((*[]*entry)(h)) }

func pop(h *[]*entry) *entry {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return e
}
