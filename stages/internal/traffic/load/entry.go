package load

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"multitext/stages/internal/run/keyed"
)

// The kinds of entries, and their version.
const (
	hostKind  = 'h'
	totalKind = 't'
	version   = 1
)

func keyOf(hash *keyed.Hash, host string) uint64 { return hash.Sum([]byte("load " + host)) }
func totalKey(hash *keyed.Hash) uint64           { return hash.Sum([]byte("load")) }

func (h *host) pack() []byte {
	b := []byte{hostKind, version}
	b = binary.AppendUvarint(b, uint64(h.slot))
	b = binary.AppendUvarint(b, uint64(h.held))
	return h.appendTo(b)
}

func (t *total) pack() []byte {
	b := []byte{totalKind, version}
	b = binary.AppendUvarint(b, uint64(t.slot))
	b = t.counts.appendTo(b)
	return t.last.appendTo(b)
}

func (c *counts) appendTo(b []byte) []byte {
	for _, n := range c.n {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func (h *host) unpack(b []byte) error {
	d, err := open(b, hostKind)
	if err != nil {
		return err
	}
	h.slot, h.held = d.number(math.MaxInt32), d.number(1<<40)
	d.counts(&h.counts)
	return d.end()
}

func (t *total) unpack(b []byte) error {
	d, err := open(b, totalKind)
	if err != nil {
		return err
	}
	t.slot = d.number(math.MaxInt32)
	t.last.slot = t.slot
	d.counts(&t.counts)
	d.counts(&t.last)
	return d.end()
}

// A decoder reads an entry from the front; the first failure sticks.
type decoder struct {
	b   []byte
	err error
}

func open(b []byte, kind byte) (*decoder, error) {
	if len(b) < 2 || b[0] != kind {
		return nil, fmt.Errorf("entry is not of kind %c", kind)
	}
	if b[1] != version {
		return nil, fmt.Errorf("entry of version %d, this program reads version %d", b[1], version)
	}
	return &decoder{b: b[2:]}, nil
}

func (d *decoder) number(most uint64) int64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > most {
		d.err, d.b = errors.New("entry holds no number where one should be"), nil
		return 0
	}
	d.b = d.b[n:]
	return int64(v)
}

func (d *decoder) counts(c *counts) {
	for i := range c.n {
		c.n[i] = uint32(d.number(math.MaxUint32))
	}
}

func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		return fmt.Errorf("entry goes on for %d bytes behind its end", len(d.b))
	}
	return d.err
}

// Verify judges an entry of the state. mine is false for one of another kind.
func Verify(value []byte) (mine bool, err error) {
	if len(value) == 0 {
		return false, nil
	}
	switch value[0] {
	case hostKind:
		return true, new(host).unpack(value)
	case totalKind:
		return true, new(total).unpack(value)
	}
	return false, nil
}

// Keep tells whether an entry still matters at now; those of another kind always do.
func Keep(value []byte, now time.Time) bool {
	h := &host{}
	if len(value) == 0 || value[0] != hostKind || h.unpack(value) != nil {
		return true
	}
	return h.slot > slotOf(now)-slots || h.held > now.Unix()
}
