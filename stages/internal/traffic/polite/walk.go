package polite

import (
	"iter"
	"slices"
	"sort"
)

// inOrder goes through a line from the first on, and leaves it as it is: of a heap the next is
// always a child of one that was passed. So a look at few of a long line is cheap.
func (l line[W]) inOrder() iter.Seq[W] {
	return func(yield func(W) bool) {
		if len(l) == 0 || !yield(l[0]) { // most are content with the first
			return
		}
		var next []int // places of those that may be the next; the first of them is the last here
		for i := 0; ; {
			for child := 2*i + 1; child <= 2*i+2 && child < len(l); child++ {
				behind := sort.Search(len(next), func(k int) bool { return l.Less(next[k], child) })
				next = slices.Insert(next, behind, child)
			}
			if len(next) == 0 {
				return
			}
			i = next[len(next)-1]
			next = next[:len(next)-1]
			if !yield(l[i]) {
				return
			}
		}
	}
}
