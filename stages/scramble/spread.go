package main

import "math/rand/v2"

// spread returns the records of all hosts in an order that keeps the records of each host far apart
// and in input order. hosts has the records of each host. rnd decides between equally good choices.
//
// The best distance for a host with n of the N records is N/n. So its record i (from 0) must be
// placed in the window from i·N/n to (i+1)·N/n. If the earliest end always goes first, all windows
// can be met (they are the tasks of a fair schedule that fill one processor exactly). But two
// records in adjacent windows may still be adjacent. A host therefore rests for 3/4 of N/n after
// each of its records. The rest is cut short only if no other host is left. On hosts of very
// different sizes no distance was under 0.7 N/n (TestSpread).
func spread(hosts [][]int32, rnd *rand.Rand) []int32 {
	rnd.Shuffle(len(hosts), func(i, j int) { hosts[i], hosts[j] = hosts[j], hosts[i] })
	total := 0
	for _, records := range hosts {
		total += len(records)
	}
	all := make([]host, len(hosts))
	var resting, ready queue
	for h, records := range hosts {
		all[h] = host{left: records, all: len(records)}
		resting = append(resting, turn{host: &all[h]}) // keys are 0: a heap
	}
	order := make([]int32, 0, total)
	for at := range total {
		for len(resting) > 0 && resting[0].key <= at {
			ready.push(resting.pop().host.due(total))
		}
		if len(ready) == 0 {
			ready.push(resting.pop().host.due(total))
		}
		h := ready.pop().host
		order = append(order, h.left[0])
		h.left = h.left[1:]
		if len(h.left) > 0 {
			resting.push(h.rested(at, total))
		}
	}
	return order
}

// host is a host whose records are being placed.
type host struct {
	left []int32 // records that are not yet placed
	all  int     // number of its records at the start
}

// due returns a turn whose key is the end of h's current window.
func (h *host) due(total int) turn {
	placed := h.all - len(h.left)
	return turn{(placed + 1) * total / h.all, h}
}

// rested returns a turn whose key is the first position at which h, last placed at position at, may
// be placed again.
func (h *host) rested(at, total int) turn {
	placed := h.all - len(h.left)
	return turn{max(at+(3*total+4*h.all-1)/(4*h.all), placed*total/h.all), h}
}
