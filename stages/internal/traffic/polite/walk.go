package polite

import (
	"container/heap"
	"iter"
)

// inOrder goes through a line from the first on, and leaves it as it is: of a heap the next is
// always a child of one that was passed. So a look at few of a long line is cheap.
func (l line[W]) inOrder() iter.Seq[W] {
	return func(yield func(W) bool) {
		if len(l) == 0 || !yield(l[0]) { // most are content with the first
			return
		}
		w := walk[W]{of: l}
		for i := 0; ; {
			for child := 2*i + 1; child <= 2*i+2 && child < len(l); child++ {
				heap.Push(&w, child)
			}
			if len(w.next) == 0 {
				return
			}
			if i = heap.Pop(&w).(int); !yield(l[i]) {
				return
			}
		}
	}
}

// A walk is the heap of the places of a line that may be the next.
type walk[W interface{ at() *spot }] struct {
	of   line[W]
	next []int
}

func (w *walk[W]) Len() int           { return len(w.next) }
func (w *walk[W]) Less(i, j int) bool { return w.of.Less(w.next[i], w.next[j]) }
func (w *walk[W]) Swap(i, j int)      { w.next[i], w.next[j] = w.next[j], w.next[i] }
func (w *walk[W]) Push(x any)         { w.next = append(w.next, x.(int)) }

func (w *walk[W]) Pop() any {
	last := len(w.next) - 1
	i := w.next[last]
	w.next = w.next[:last]
	return i
}
