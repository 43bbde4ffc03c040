package waiting

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"multitext/stages/internal/state/segment"
)

// A queue is the URLs of one host in one band, by position. Those from head on wait, and the next
// to come in has the position tail.
type queue struct {
	band       uint8
	head, tail uint64
	fresh      []chunk // what came in in this run, not packed
}

// A row is what the state knows of a host. Its entry is, in unsigned varints unless said otherwise,
//
//	1 byte  version, 3
//	        number of its queues, and of each its band (a byte), head, and how many records wait
//	        name and address, each behind its length
//	        pause, answer time, in milliseconds
//	        times before which it is left alone, and up to which its turns are promised
//	        runs of fetch that had no answer; requests; bytes of answers; batches that are out
//	1 byte  1 if it is slow
//	1 byte  1 if it is in a ready list, and then lane (a byte), band (a byte) and time
//	        stale records in its queues; worth (yield.go); explored (a byte)
//	        answers; URLs that are out, and when those should have been asked for; number of the
//	        last batch that is out, and when the first that is should have been asked for
//
// Versions 1 and 2 have the queues behind the ready list, and not the last number. Version 1 has nothing
// behind these, and its requests count as answers.
type row struct {
	spending        // of the host
	host     uint64 // key
	name     string

	pause   uint32 // milliseconds between two requests, of which took is not a part; 0: not known
	took    uint32 // milliseconds of a mean answer; 0: not known
	hold    int64  // unix milliseconds before which the host is not to be asked
	free    int64  // unix milliseconds up to which its time was promised
	silent  uint32 // runs of fetch in a row that had no answer from it
	asked   uint64 // requests in all
	out     uint64 // batches with URLs of it that no visit has told of yet
	batch   uint64 // number of the last of them in its lane
	since   int64  // unix milliseconds, when the first of them should have been asked for
	slow    bool   // it is in the lane Slow
	address string // at which it was last asked
	worth   uint32 // 1, and what its last answers were worth, in units of 1/full (yield.go); 0: none was judged

	explored uint8 // band of its last turn (explore.go)

	listed bool
	place  place
	moved  bool    // no segment has its entry there yet
	stale  uint64  // records in its queues that are not the one of their URL (counted.go)
	queues []queue // that are not empty, and those that still tell where new URLs go, bands ascending

	domain *domain // nil: not looked for yet

	was     part // of the pace of its lane, as that has it
	changed bool // its entry is to be written
	touched bool // it is in State.touched
	turn    turn // in the batch that is being composed
}

const rowVersion = 3

func (r *row) pack() []byte {
	b := append(make([]byte, 0, 64+len(r.name)+len(r.address)+8*len(r.queues)), rowVersion)
	b = binary.AppendUvarint(b, uint64(len(r.queues)))
	for _, q := range r.queues {
		b = append(b, q.band)
		b = binary.AppendUvarint(b, q.head)
		b = binary.AppendUvarint(b, q.tail-q.head)
	}
	b = segment.AppendText(b, r.name)
	b = segment.AppendText(b, r.address)
	for _, n := range []uint64{uint64(r.pause), uint64(r.took), uint64(r.hold), uint64(r.free), uint64(r.silent),
		r.asked, r.bytes, r.out} {
		b = binary.AppendUvarint(b, n)
	}
	if r.slow {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	if !r.listed {
		b = append(b, 0)
	} else {
		b = append(b, 1, byte(r.place.lane), r.place.band)
		b = binary.AppendUvarint(b, uint64(r.place.at))
	}
	b = binary.AppendUvarint(b, r.stale)
	b = binary.AppendUvarint(b, uint64(r.worth))
	b = append(b, r.explored)
	for _, n := range []uint64{r.answered, r.promised, uint64(r.back), r.batch, uint64(r.since)} {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

func (r *row) unpack(value []byte) error {
	f := segment.FieldsOf(value)
	version := versionOf(f, rowVersion)
	if version >= 3 {
		r.takeQueues(f)
	}
	r.name, r.address = f.Text(), f.Text()
	r.pause, r.took = uint32(f.Number(math.MaxUint32)), uint32(f.Number(math.MaxUint32))
	r.hold, r.free = int64(f.Number(positions)), int64(f.Number(positions))
	r.silent = uint32(f.Number(math.MaxUint32))
	r.asked, r.bytes, r.out = f.Number(math.MaxInt64), f.Number(math.MaxInt64), f.Number(math.MaxInt64)
	r.slow = f.Byte() == 1
	if r.listed = f.Byte() == 1; r.listed {
		r.place = place{Lane(f.Byte()), f.Byte(), int64(f.Number(positions))}
	}
	if version < 3 {
		r.takeQueues(f)
	}
	r.stale, r.worth, r.explored, r.answered, r.promised, r.back = 0, 0, 0, r.asked, 0, 0
	r.batch, r.since, r.was = 0, 0, part{} // nor was a row of version 1 counted
	if version >= 2 {
		r.stale = f.Number(math.MaxInt64)
		r.worth = uint32(f.Number(full + 1))
		r.explored = f.Byte()
		r.answered, r.promised, r.back = f.Number(math.MaxInt64), f.Number(math.MaxInt64), int64(f.Number(positions))
		r.batch = f.Number(math.MaxInt64)
		if version >= 3 {
			r.since = int64(f.Number(positions))
		}
		r.was = r.part()
	}
	return f.End()
}

// takeQueues takes the queues.
func (r *row) takeQueues(f *segment.Fields) {
	n := int(f.Number(bands))
	r.queues = slices.Grow(r.queues[:0], n)
	for range n {
		q := queue{band: f.Byte(), head: f.Number(positions)}
		q.tail = q.head + f.Number(positions)
		r.queues = append(r.queues, q)
	}
}

// unpackQueues reads the queues of a row, and nothing else of it.
func (r *row) unpackQueues(value []byte) error {
	f := segment.FieldsOf(value)
	f.Version(rowVersion)
	r.takeQueues(f)
	f.Rest()
	return f.End()
}

// versionOf takes the version of a value, which is from 1 to most.
func versionOf(f *segment.Fields, most byte) byte {
	v := f.Byte()
	if v < 1 || v > most {
		f.Fail(fmt.Errorf("entry of version %d, this program reads versions 1 to %d", v, most))
	}
	return v
}

// waiting is the number of records in the host's queues.
func (r *row) waiting() (n uint64) {
	for _, q := range r.queues {
		n += q.tail - q.head
	}
	return n
}

// standsAt tells whether the host stands at a place of the ready lists; r may be nil.
func (r *row) standsAt(p place) bool { return r != nil && r.listed && r.place == p }

// queue returns the host's queue of a band, which is made if need be.
func (r *row) queue(band uint8) *queue {
	at, ok := slices.BinarySearchFunc(r.queues, band, func(q queue, band uint8) int { return int(q.band) - int(band) })
	if !ok {
		r.queues = slices.Insert(r.queues, at, queue{band: band})
	}
	return &r.queues[at]
}

// best is the first queue with URLs of bands from from on, nil if there is none.
func (r *row) best(from int) *queue {
	for i := range r.queues {
		if q := &r.queues[i]; int(q.band) >= from && q.head < q.tail {
			return q
		}
	}
	return nil
}

// head is the position of the first URL of a band that waits.
func (r *row) head(band uint8) uint64 {
	for _, q := range r.queues {
		if q.band == band {
			return q.head
		}
	}
	return 0
}
