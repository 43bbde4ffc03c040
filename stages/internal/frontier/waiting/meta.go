package waiting

import (
	"encoding/binary"
	"math"
	"slices"

	"multitext/stages/internal/state/segment"
)

// An entry is one of a ready list, less its lane and band.
type entry struct {
	at   int64
	host uint64
}

// meta is what the state knows of all hosts together. Times are unix milliseconds by the clock of the
// state. Its entry has a byte for its version, 3, and the fields of the struct in their order:
// numbers as unsigned varints, follows as a byte; of batches and done in turn; of a pace its classes and
// what is new, of each the URLs and the rate. Version 2 has no out. Version 1 has two other numbers in the
// place of handed to before, and ends with others in the place of paces.
type meta struct {
	last    int64               // when the last run was
	skew    int64               // by which the clock of the state is ahead of the system's
	planned [lanes]int64        // up to when work was handed out
	patient int64               // when what may take a run's patience was last looked at
	handed  uint64              // URLs of the last batch of Main
	then    uint64              // URLs that had come in by then
	grown   uint64              // URLs that come in for a thousand that are handed out; 0: not known
	batches [lanes]uint64       // that were handed out
	done    [lanes]uint64       // of these, up to the last one of which visits came
	over    int64               // when the last batch of Main was done; 0: it is not
	before  uint64              // URLs that had come in by then
	wake    int64               // when the wake batch is due that waits; 0: there is none
	entered uint64              // URLs that ever came in
	taken   uint64              // URLs that were handed out
	gone    uint64              // bytes of the chunks that those took, since all was merged for them
	follows bool                // links to URLs are counted: there is an entry for each URL
	stale   uint64              // records in queues that are not the one of their URL (counted.go)
	read    [lanes][bands]entry // the last one that was read of each ready list
	paces   [lanes]pace         // what waits, by the time that it takes

	owed     [lanes]uint64 // URLs that are to go by turns, times owedUnit (explore.go)
	explored [lanes]uint64 // key of the host that had the last turn
	judged   uint64        // answers of which it is known what they were worth
	worth    uint32        // of the last of them, in the mean, in units of 1/full (yield.go)
	out      [lanes]uint64 // hosts of which a batch is out; one of which two are counts twice

	old bool // not of the entry: it is of an older version than 3 (migrate.go)
}

const metaVersion = 3

func (m *meta) pack() []byte {
	b := []byte{metaVersion}
	b = binary.AppendUvarint(b, uint64(m.last))
	b = binary.AppendUvarint(b, uint64(m.skew))
	for _, t := range m.planned {
		b = binary.AppendUvarint(b, uint64(t))
	}
	b = binary.AppendUvarint(b, uint64(m.patient))
	b = binary.AppendUvarint(b, m.handed)
	b = binary.AppendUvarint(b, m.then)
	b = binary.AppendUvarint(b, m.grown)
	for lane := range m.batches {
		b = binary.AppendUvarint(b, m.batches[lane])
		b = binary.AppendUvarint(b, m.done[lane])
	}
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(m.over)), m.before)
	b = binary.AppendUvarint(b, uint64(m.wake))
	b = binary.AppendUvarint(b, m.entered)
	b = binary.AppendUvarint(b, m.taken)
	b = binary.AppendUvarint(b, m.gone)
	b = append(b, 0)
	if m.follows {
		b[len(b)-1] = 1
	}
	b = binary.AppendUvarint(b, m.stale)
	for lane := range m.read {
		for _, e := range m.read[lane] {
			b = binary.AppendUvarint(b, uint64(e.at))
			b = binary.AppendUvarint(b, e.host)
		}
	}
	for i := range m.paces {
		b = m.paces[i].pack(b)
	}
	for _, n := range slices.Concat(m.owed[:], m.explored[:]) {
		b = binary.AppendUvarint(b, n)
	}
	b = binary.AppendUvarint(b, m.judged)
	b = binary.AppendUvarint(b, uint64(m.worth))
	for _, n := range m.out {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

func (m *meta) unpack(value []byte) error {
	f := segment.FieldsOf(value)
	version := versionOf(f, metaVersion)
	m.old = version < 3
	m.last, m.skew = int64(f.Number(positions)), int64(f.Number(positions))
	for i := range m.planned {
		m.planned[i] = int64(f.Number(positions))
	}
	m.patient = int64(f.Number(positions))
	m.handed, m.then = f.Number(math.MaxInt64), f.Number(math.MaxInt64)
	if version >= 2 {
		m.grown = f.Number(math.MaxInt64)
		for lane := range m.batches {
			m.batches[lane], m.done[lane] = f.Number(math.MaxInt64), f.Number(math.MaxInt64)
		}
		m.over, m.before = int64(f.Number(positions)), f.Number(math.MaxInt64)
	} else {
		m.handed, m.then = 0, 0 // they were others
	}
	m.wake = int64(f.Number(positions))
	m.entered, m.taken, m.gone = f.Number(math.MaxInt64), f.Number(math.MaxInt64), f.Number(math.MaxInt64)
	m.follows = f.Byte() == 1
	m.stale = f.Number(math.MaxInt64)
	for lane := range m.read {
		for band := range m.read[lane] {
			m.read[lane][band] = entry{int64(f.Number(positions)), f.Number(hostBitsOf)}
		}
	}
	if version == 1 {
		f.Rest() // hosts by the number of their URLs
		return f.End()
	}
	for i := range m.paces {
		m.paces[i].unpack(f)
	}
	for i := range m.owed {
		m.owed[i] = f.Number(math.MaxInt64)
	}
	for i := range m.explored {
		m.explored[i] = f.Number(hostBitsOf)
	}
	m.judged, m.worth = f.Number(math.MaxInt64), uint32(f.Number(full))
	if version == 2 {
		return f.End()
	}
	for i := range m.out {
		m.out[i] = f.Number(math.MaxInt64)
	}
	return f.End()
}

// passed tells whether the entry of a ready list at p was read.
func (m *meta) passed(p place, host uint64) bool {
	read := m.read[p.lane][p.band]
	return p.at < read.at || p.at == read.at && host <= read.host
}
