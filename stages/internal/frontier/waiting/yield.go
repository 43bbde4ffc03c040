package waiting

import (
	"math/bits"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/web/canon"
)

// The yield of a host is what its last answers were worth, as a mean in which an answer counts for
// less with each one behind it. While it is below a half the host is asked for less: its turn in a
// batch, and what the order gives its new URLs, are halved, as often as the yield can be doubled and
// stays below 1. So a host has requests about as it gives pages that are wanted. A trap, a calendar, or
// a shop with its sessions ends in the last class of the order and with one URL in a batch, without a
// rule. It never has less, for its next pages may be wanted again.
const (
	full         = 1 << 16 // worth of 1, in the row of a host
	yieldAnswers = 32      // that the mean goes over: 22 without worth bring a yield of 1 to a half
	mostHalvings = 6       // then all URLs are in the last class
)

// Judged takes in what an answer was worth, the attribute worth= of rec. It tells whether it could: a
// URL without a host has no yield.
func (s *State) Judged(rec *urlbatch.Record) (ok bool, err error) {
	name := canon.Hostname(rec.URLBytes())
	if len(name) == 0 {
		return false, nil
	}
	r, err := s.host(name)
	if err != nil {
		return false, err
	}
	lack := full - int32(full*rec.Share(urlbatch.Worth))
	r.lack = uint32(int32(r.lack) + (lack-int32(r.lack))/yieldAnswers)
	r.changed = true
	return true, s.relieve()
}

func (r *row) yield() float64 { return 1 - float64(r.lack)/full }

// halvings is how often the turn of the host is halved.
func (r *row) halvings() int {
	//failpoint:yield-unheeded return 0
	return min(max(bits.Len32(full)-1-bits.Len32(full-r.lack), 0), mostHalvings)
}

// lower is the band of a new URL of the host that the order puts into band.
func (r *row) lower(band uint8) uint8 { return order.Halve(band, r.halvings()) }
