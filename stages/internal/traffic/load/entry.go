package load

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/segment"
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
	f := open(b, hostKind)
	h.slot, h.held = int64(f.Number(math.MaxInt32)), int64(f.Number(1<<40))
	h.counts.read(f)
	return f.End()
}

func (t *total) unpack(b []byte) error {
	f := open(b, totalKind)
	t.slot = int64(f.Number(math.MaxInt32))
	t.last.slot = t.slot
	t.counts.read(f)
	t.last.read(f)
	return f.End()
}

// open reads the kind and the version of an entry.
func open(b []byte, kind byte) *segment.Fields {
	f := segment.FieldsOf(b)
	if f.Byte() != kind {
		f.Fail(fmt.Errorf("entry is not of kind %c", kind))
	}
	f.Version(version)
	return f
}

func (c *counts) read(f *segment.Fields) {
	for i := range c.n {
		c.n[i] = uint32(f.Number(math.MaxUint32))
	}
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

// Keep reports whether an entry still matters at now; those of another kind always do.
func Keep(value []byte, now time.Time) bool {
	h := &host{}
	if len(value) == 0 || value[0] != hostKind || h.unpack(value) != nil {
		return true
	}
	return h.slot > slotOf(now)-slots || h.held > now.Unix()
}
