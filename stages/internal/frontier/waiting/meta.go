package waiting

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"multitext/stages/internal/state/segment"
)

// lengths is the number of classes of queue lengths: class n is of hosts with 2^(n-1) to 2^n - 1
// URLs that wait.
const lengths = 49

// An entry is one of a ready list, less its lane and band.
type entry struct {
	at   int64
	host uint64
}

// meta is what the state knows of all hosts together. Times are unix milliseconds by the clock of the
// state. Its entry has a byte for its version, 2, and the fields of the struct in their order:
// numbers as unsigned varints, follows as a byte. Version 1 ends with hosts.
type meta struct {
	last    int64               // when the last run was
	skew    int64               // by which the clock of the state is ahead of the system's
	planned [lanes]int64        // up to when work was handed out
	patient int64               // when what may take a run's patience was last looked at
	step    int64               // microseconds that hosts take for a URL, as a mean of the last visits; 0: none
	rate    uint64              // URLs in a thousand seconds that the last batch of Main was to fetch
	wake    int64               // when the wake batch is due that waits; 0: there is none
	entered uint64              // URLs that ever came in
	taken   uint64              // URLs that were handed out
	gone    uint64              // bytes of the chunks that those took, since all was merged for them
	follows bool                // links to URLs are counted: there is an entry for each URL
	stale   uint64              // records in queues that are not the one of their URL (counted.go)
	read    [lanes][bands]entry // the last one that was read of each ready list
	hosts   [lengths]uint64     // hosts with URLs that wait, by the class of their number

	owed     [lanes]uint64 // URLs that are to go by turns, times owedUnit (explore.go)
	explored [lanes]uint64 // key of the host that had the last turn
}

const metaVersion = 2

func (m *meta) pack() []byte {
	b := []byte{metaVersion}
	b = binary.AppendUvarint(b, uint64(m.last))
	b = binary.AppendUvarint(b, uint64(m.skew))
	for _, t := range m.planned {
		b = binary.AppendUvarint(b, uint64(t))
	}
	b = binary.AppendUvarint(b, uint64(m.patient))
	b = binary.AppendUvarint(b, uint64(m.step))
	b = binary.AppendUvarint(b, m.rate)
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
	for _, n := range slices.Concat(m.hosts[:], m.owed[:], m.explored[:]) {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

func (m *meta) unpack(value []byte) error {
	f := segment.FieldsOf(value)
	version := versionOf(f, metaVersion)
	m.last, m.skew = int64(f.Number(positions)), int64(f.Number(positions))
	for i := range m.planned {
		m.planned[i] = int64(f.Number(positions))
	}
	m.patient, m.step = int64(f.Number(positions)), int64(f.Number(positions))
	m.rate, m.wake = f.Number(math.MaxInt64), int64(f.Number(positions))
	m.entered, m.taken, m.gone = f.Number(math.MaxInt64), f.Number(math.MaxInt64), f.Number(math.MaxInt64)
	m.follows = f.Byte() == 1
	m.stale = f.Number(math.MaxInt64)
	for lane := range m.read {
		for band := range m.read[lane] {
			m.read[lane][band] = entry{int64(f.Number(positions)), f.Number(hostBitsOf)}
		}
	}
	for i := range m.hosts {
		m.hosts[i] = f.Number(math.MaxInt64)
	}
	if version >= 2 {
		for i := range m.owed {
			m.owed[i] = f.Number(math.MaxInt64)
		}
		for i := range m.explored {
			m.explored[i] = f.Number(hostBitsOf)
		}
	}
	return f.End()
}

// move counts a host that had so many URLs and has others now.
func (m *meta) move(from, to uint64) {
	if a, b := bits.Len64(from), bits.Len64(to); a != b {
		if a > 0 {
			m.hosts[a]--
		}
		if b > 0 {
			m.hosts[b]++
		}
	}
}

// passed tells whether the entry of a ready list at p was read.
func (m *meta) passed(p place, host uint64) bool {
	read := m.read[p.lane][p.band]
	return p.at < read.at || p.at == read.at && host <= read.host
}
