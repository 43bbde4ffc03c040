package waiting

import (
	"cmp"
	"slices"
)

// Arrivals are the records of a run that are to wait, until the rows of all their hosts are looked up:
// in the order of their keys, which takes half the time that it takes to look up each when it comes.
type arrivals struct {
	all  []arrival
	size int // bytes of the texts
	room arena
}

// An arrival is a record that is to wait.
type arrival struct {
	host uint64 // its key
	text []byte // name of the host, and behind it the line as a queue has it
	name int32  // bytes of that name
	of   int32  // number of its link, where links are counted, else its own
	band uint8
}

func (a *arrival) hostName() []byte { return a.text[:a.name] }
func (a *arrival) line() []byte     { return a.text[a.name:] }

// add notes a record.
func (l *arrivals) add(host uint64, name, line []byte, band uint8, of int) {
	text := append(l.room.take(len(name)+len(line)+1), name...)
	text = appendLine(text, name, line)
	l.room.gave(text)
	l.size += len(text)
	l.all = append(l.all, arrival{host, text, int32(len(name)), int32(of), band})
}

// Bounds of what came in and is in memory.
const (
	arrivalBytes = 64       // that an arrival takes, about, without its text
	linkBytes    = 120      // that a link takes, about
	mostArrived  = 12 << 20 // bytes of both, from which on they are taken in
)

// relieveArrived has what came in be taken in before all of a run is there, where it is too much for
// memory.
func (s *State) relieveArrived() error {
	if len(s.links.links)*linkBytes+len(s.arrived.all)*arrivalBytes+s.arrived.size < s.mostArrived {
		return nil
	}
	if err := s.takeIn(); err != nil || !s.meta.follows {
		return err
	}
	return s.spill() // now, for standings stay in memory while there are links (forget)
}

// byHost brings the records of each host together, in the order in which they came.
func (l *arrivals) byHost() []arrival {
	slices.SortFunc(l.all, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.of, b.of))
	})
	return l.all
}

// An arena is memory for many texts.
type arena struct{ room []byte }

// arenaBytes is how much memory is made at a time.
const arenaBytes = 64 << 10

// take returns room for a text of at most so many bytes.
func (a *arena) take(most int) []byte {
	if most > len(a.room) {
		a.room = make([]byte, max(arenaBytes, most))
	}
	return a.room[:0:most]
}

// gave tells that text is in the room that was taken last.
func (a *arena) gave(text []byte) { a.room = a.room[len(text):] }
