package waiting

import (
	"cmp"
	"slices"
)

// Arrivals are the records of a run that are to wait, until the rows of all their hosts are looked up:
// in the order of their keys, which takes half the time that it takes to look up each when it comes.
type arrivals struct {
	all   []arrival
	hosts []arrivalOf
	size  int // bytes of the texts
	room  arena
}

// An arrival is a record that is to wait.
type arrival struct {
	text []byte // name of the host, and behind it the line as a queue has it
	name int32  // bytes of that name
	link int32  // its number, where links are counted
	band uint8
}

// An arrivalOf says of which host a record is. It has no pointers, and so is sorted in half the time.
type arrivalOf struct {
	host uint64 // its key
	at   int    // number of the record
}

func (a *arrival) hostName() []byte { return a.text[:a.name] }
func (a *arrival) line() []byte     { return a.text[a.name:] }

// add notes a record.
func (l *arrivals) add(host uint64, name, line []byte, band uint8, link int) {
	text := append(l.room.take(len(name)+len(line)+1), name...)
	text = appendLine(text, name, line)
	l.room.gave(text)
	l.size += len(text)
	l.hosts = append(l.hosts, arrivalOf{host, len(l.all)})
	l.all = append(l.all, arrival{text, int32(len(name)), int32(link), band})
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
func (l *arrivals) byHost() []arrivalOf {
	slices.SortFunc(l.hosts, func(a, b arrivalOf) int {
		if a.host != b.host {
			return cmp.Compare(a.host, b.host)
		}
		return cmp.Compare(a.at, b.at)
	})
	return l.hosts
}

// sizeOf is the bytes of the lines of those records of a host at the front that go into one queue.
func (l *arrivals) sizeOf(host []arrivalOf) (size int) {
	for _, i := range host {
		if l.all[i.at].band != l.all[host[0].at].band {
			break
		}
		size += len(l.all[i.at].line())
	}
	return size
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
