package experiment

import (
	"container/heap"
	"time"
)

// An event is a tick, a piece of a download that has come, or, without bytes, that a download's
// last piece has passed the ceiling.
type event struct {
	at       time.Time
	serial   int // among those of one instant the lower comes first
	download *download
	piece    int
}

func (c *crawl) push(e *event) {
	c.serial++
	e.serial = c.serial
	heap.Push(&c.events, e)
}

// events is the heap of what will happen, the earliest first.
type events []*event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	if !e[i].at.Equal(e[j].at) {
		return e[i].at.Before(e[j].at)
	}
	return e[i].serial < e[j].serial
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(*event)) }
func (e *events) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}
