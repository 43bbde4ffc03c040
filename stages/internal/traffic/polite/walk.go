package polite

import "iter"

// inOrder goes through a line from the first on, and leaves it as it is: of a heap the next is
// always a child of one that was passed. So a look at few of a long line is cheap.
func (l line[W]) inOrder() iter.Seq[W] {
	return func(yield func(W) bool) {
		if len(l) == 0 || !yield(l[0]) { // most are content with the first
			return
		}
		var next places
		for i := 0; ; {
			for child := 2*i + 1; child <= 2*i+2 && child < len(l); child++ {
				next.push(place{l[child].at(), child})
			}
			if len(next) == 0 {
				return
			}
			if i = next.pop(); !yield(l[i]) {
				return
			}
		}
	}
}

// A place is one of a line that may be the next of a walk.
type place struct {
	*spot
	in int // the line
}

// places are a heap. With container/heap each would be allocated, as what it takes is of type any.
type places []place

func (p *places) push(one place) {
	*p = append(*p, one)
	all := *p
	for i := len(all) - 1; i > 0; {
		above := (i - 1) / 2
		if !all[i].before(all[above].spot) {
			return
		}
		all[i], all[above] = all[above], all[i]
		i = above
	}
}

// pop takes the first away, and gives where in the line it is.
func (p *places) pop() int {
	all, last := *p, len(*p)-1
	first := all[0].in
	all[0] = all[last]
	all = all[:last]
	for i, least := 0, 1; least < last; least = 2*i + 1 {
		if right := least + 1; right < last && all[right].before(all[least].spot) {
			least = right
		}
		if !all[least].before(all[i].spot) {
			break
		}
		all[i], all[least] = all[least], all[i]
		i = least
	}
	*p = all
	return first
}
