package waiting

import (
	"encoding/binary"
	"math"
	"math/bits"

	"multitext/stages/internal/state/segment"
)

// classes is the number of classes of the time d, in milliseconds, that hosts will be busy with what they
// have waiting: class n is of 2^((n-1)/2) <= d < 2^(n/2).
const classes = 64

// classOf returns the class of a time.
func classOf(d uint64) int { return min(bits.Len64(min(d, 1<<31)*min(d, 1<<31)), classes-1) }

// endOf returns the end of a class, in milliseconds.
func endOf(class int) int64 {
	end := int64(1) << (class / 2)
	if class%2 == 0 {
		return end
	}
	return int64(math.Ceil(math.Sqrt2 * float64(end)))
}

// A pace is how many URLs the hosts of a lane have waiting, and in what time they can be asked for.
type pace struct {
	of  [classes]backlog
	new backlog // of hosts whose pace is not known: rate is their number
}

// A backlog is what some hosts have waiting.
type backlog struct {
	urls uint64
	rate uint64 // URLs that they can be asked for in a thousand seconds, all together
}

// A part is what a host adds to the pace of its lane.
type part struct {
	lane  Lane
	class int // -1: its pace is not known
	backlog
}

// part returns what r adds. Hosts that did not answer, and those that have only URLs left that failed,
// add nothing.
func (r *row) part() part {
	best, n := r.best(0), r.waiting()
	if best == nil {
		return part{}
	}
	lane := r.lane(best.band)
	switch {
	case lane == Doubtful:
		return part{}
	case r.asked == 0:
		return part{lane, -1, backlog{min(n, strangers), 1}}
	case r.pause == 0 && r.took == 0:
		return part{lane, -1, backlog{n, 1}}
	}
	step := max(uint64(r.pause)+uint64(r.took), 1)
	return part{lane, classOf(min(n, 1<<31) * min(step, 1<<31)), backlog{n, 1_000_000 / step}}
}

// move replaces what a host added by what it adds now.
func (m *meta) move(from, to part) {
	if from != to {
		m.at(from).less(from.backlog)
		m.at(to).add(to.backlog)
	}
}

func (m *meta) at(p part) *backlog {
	if p.class < 0 {
		return &m.paces[p.lane].new
	}
	return &m.paces[p.lane].of[p.class]
}

func (l *backlog) add(o backlog)  { l.urls, l.rate = l.urls+o.urls, l.rate+o.rate }
func (l *backlog) less(o backlog) { l.urls, l.rate = l.urls-o.urls, l.rate-o.rate }

func (p *pace) pack(b []byte) []byte {
	for _, l := range append(p.of[:], p.new) {
		b = binary.AppendUvarint(binary.AppendUvarint(b, l.urls), l.rate)
	}
	return b
}

func (p *pace) unpack(f *segment.Fields) {
	for i := range p.of {
		p.of[i] = backlog{f.Number(math.MaxInt64), f.Number(math.MaxInt64)}
	}
	p.new = backlog{f.Number(math.MaxInt64), f.Number(math.MaxInt64)}
}

// within is about how many URLs can be asked for in so many milliseconds, where hosts of unknown pace
// want a pause.
func (p *pace) within(length, pause int64) (n float64) {
	n = min(float64(p.new.urls), float64(p.new.rate)*float64(length)/float64(pause))
	for class := range p.of {
		switch l := &p.of[class]; {
		case l.urls == 0: // as in most classes
		case length >= endOf(class):
			n += float64(l.urls)
		default:
			n += min(float64(l.urls), float64(l.rate)*float64(length)/1e6)
		}
	}
	return n
}
