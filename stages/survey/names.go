package main

import "slices"

// A limiter passes on the rows of a segment in their order, with at most mostNames names of a kind,
// hosts excepted. It holds the rows of one kind.
type limiter struct {
	emit func(*row) error
	held []*row          // of one kind
	old  map[string]bool // the names of these that the state has; they stay
}

// row takes a row. old says that its name is in the state.
func (l *limiter) row(r *row, old bool) error {
	if len(l.held) > 0 && l.held[0].kind != r.kind {
		if err := l.flush(); err != nil {
			return err
		}
	}
	if r.kind == kindHost {
		return l.emit(r)
	}
	if l.held = append(l.held, r); old {
		l.old[r.name] = true
	}
	return nil
}

// flush passes on the rows that are held: those of the state, then new ones up to the limit. The
// sum of all others is the row otherName.
func (l *limiter) flush() error {
	if len(l.held) > mostNames {
		l.cut()
	}
	for _, r := range l.held {
		if err := l.emit(r); err != nil {
			return err
		}
	}
	l.held, l.old = l.held[:0], map[string]bool{}
	return nil
}

// cut adds the rows beyond the limit to the row otherName.
func (l *limiter) cut() {
	other := &row{kind: l.held[0].kind, name: otherName}
	room := mostNames
	for _, old := range []bool{true, false} {
		l.held = slices.DeleteFunc(l.held, func(r *row) bool {
			if r.name != otherName && l.old[r.name] != old {
				return false // its turn comes, or has come
			}
			if r.name != otherName && room > 0 {
				room--
				return false
			}
			other.add(r)
			return true
		})
	}
	if len(other.n) == 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(l.held, other, (*row).order)
	l.held = slices.Insert(l.held, at, other)
}
