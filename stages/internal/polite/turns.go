package polite

// turns is the heap.Interface of hosts by their turn.
type turns[T any] []*host[T]

func (t turns[T]) Len() int { return len(t) }

func (t turns[T]) Less(i, j int) bool {
	if !t[i].turn.Equal(t[j].turn) {
		return t[i].turn.Before(t[j].turn)
	}
	return t[i].serial < t[j].serial
}

func (t turns[T]) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].place, t[j].place = i, j
}

func (t *turns[T]) Push(x any) {
	h := x.(*host[T])
	h.place = len(*t)
	*t = append(*t, h)
}

func (t *turns[T]) Pop() any {
	old := *t
	h := old[len(old)-1]
	old[len(old)-1] = nil
	*t = old[:len(old)-1]
	h.place = -1
	return h
}
