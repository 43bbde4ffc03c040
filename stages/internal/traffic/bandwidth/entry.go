package bandwidth

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"time"
)

// An entry has the rates of one server. The package comment describes its format.
type entry struct {
	server netip.Addr // zero: the mean server
	day    uint32     // of the last download, since 1970
	trust  float32    // weight of the rates, from 0 to 1; what is missing is the mean server's
	usual  float32    // length of its downloads in seconds
	rates  [days][hoursOfDay]float32

	learnt bool // by this run
}

// rate returns the prediction of the entry's own downloads for a moment.
func (e *entry) rate(m moment) float64 { return float64(e.rates[m.day][int(m.hour)]) }

// learn updates the entry after a download of n bytes that has ended at now. It changes the hours
// of that kind of day, or all hours after the first download. slower reduces the weight.
func (e *entry) learn(now time.Time, n float64, took time.Duration, slower float64, r Rule) {
	length, first := took.Seconds(), e.trust == 0
	if first {
		e.usual = float32(length)
	}
	counted := min(length, mostLengths*float64(e.usual))
	exponent := counted / float64(e.usual) / slower
	if r.Alike {
		exponent = 1 / slower
	}
	weight := func(gauss float64) float64 { return 1 - math.Pow(1-r.Gain*gauss, exponent) }
	e.trust += float32(weight(1)) * (1 - e.trust)
	at := momentOf(now)
	for day := range e.rates {
		for hour := range e.rates[day] {
			b := &e.rates[day][hour]
			switch {
			case first:
				*b = float32(n / length)
			case day == at.day:
				*b += float32(weight(at.gauss(hour)) / float64(e.trust) * (n/length - float64(*b)))
			}
		}
	}
	e.usual += float32(r.Gain / slower * (counted - float64(e.usual)))
	e.day, e.learnt = dayOf(now), true
}

func dayOf(now time.Time) uint32 { return uint32(max(now.Unix(), 0) / (24 * 3600)) }

// The parts of an entry.
const (
	entryVersion = 1
	entryKind    = 's'
	ratesAt      = 1 + 1 + 4 + 4 + 4
	fixedSize    = ratesAt + 4*days*hoursOfDay
)

// textOf returns the text whose hash is the key of a server's entry.
func textOf(server netip.Addr) string {
	if !server.IsValid() {
		return "server mean"
	}
	return "server " + server.String()
}

func (e *entry) encode() []byte {
	b := append(make([]byte, 0, fixedSize+16), entryKind, entryVersion)
	b = binary.LittleEndian.AppendUint32(b, e.day)
	b = appendFloat(b, e.trust)
	b = appendFloat(b, e.usual)
	for _, day := range e.rates {
		for _, rate := range day {
			b = appendFloat(b, rate)
		}
	}
	return append(b, e.server.AsSlice()...)
}

var errNoEntry = errors.New("no entry of server rates, version 1")

// decode decodes an entry. b may be any bytes; an error wraps errNoEntry.
func decode(b []byte) (*entry, error) {
	if len(b) < fixedSize || b[0] != entryKind || b[1] != entryVersion {
		return nil, errNoEntry
	}
	e := &entry{day: binary.LittleEndian.Uint32(b[2:]), trust: float(b[6:]), usual: float(b[10:])}
	if !(e.trust > 0 && e.trust <= 1 && e.usual > 0 && e.usual <= math.MaxFloat32) {
		return nil, fmt.Errorf("%w: trust %v, usual length %v s", errNoEntry, e.trust, e.usual)
	}
	for i := range days * hoursOfDay {
		rate := float(b[ratesAt+4*i:])
		if !(rate >= 0 && rate <= math.MaxFloat32) {
			return nil, fmt.Errorf("%w: value %d is %v", errNoEntry, i, rate)
		}
		e.rates[i/hoursOfDay][i%hoursOfDay] = rate
	}
	if len(b) == fixedSize {
		return e, nil
	}
	server, ok := netip.AddrFromSlice(b[fixedSize:])
	if !ok {
		return nil, fmt.Errorf("%w: an address of %d bytes", errNoEntry, len(b)-fixedSize)
	}
	e.server = server
	return e, nil
}

func appendFloat(b []byte, f float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
}

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// Verify checks an entry of the state, and returns the text whose hash must be its key. mine is
// false for an entry of another kind.
func Verify(value []byte) (mine bool, text string, err error) {
	if len(value) == 0 || value[0] != entryKind {
		return false, "", nil
	}
	e, err := decode(value)
	if err != nil {
		return true, "", err
	}
	return true, textOf(e.server), nil
}

// kept is how long a server is remembered after its last download.
const kept = 90 // days

// Keep reports whether an entry is still needed at now. Entries of another kind always are.
func Keep(value []byte, now time.Time) bool {
	e, err := decode(value)
	return err != nil || dayOf(now) <= e.day+kept
}
