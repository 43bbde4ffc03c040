package waiting

import (
	"encoding/binary"
	"fmt"
	"math"

	"multitext/stages/internal/state/ordered"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/web/registered"
)

// A domain is what the state knows of a registered domain, where there is a budget for domains. It has
// the sum of what the state has learned of the domain's hosts since there is one. Its entry is
//
//	1 byte   version, 1
//	varint   bytes of the name, and the name
//	varints  answers; bytes of answers; URLs that were handed out, of which no visit has told yet; when
//	         those should have been asked for, in unix milliseconds
type domain struct {
	spending
	key     ordered.Key
	name    string
	changed bool
}

const domainVersion = 1

func (d *domain) pack() []byte {
	b := segment.AppendText([]byte{domainVersion}, d.name)
	return d.spending.append(b)
}

func (d *domain) unpack(value []byte) error {
	f := segment.FieldsOf(value)
	f.Version(domainVersion)
	d.name = f.Text()
	d.spending.take(f)
	return f.End()
}

// append appends the fields of p.
func (p *spending) append(b []byte) []byte {
	for _, n := range []uint64{p.answered, p.bytes, p.promised, uint64(p.back)} {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// take takes the fields that append has written.
func (p *spending) take(f *segment.Fields) {
	*p = spending{f.Number(math.MaxInt64), f.Number(math.MaxInt64), f.Number(math.MaxInt64), int64(f.Number(positions))}
}

// domainBytes is what a domain takes in memory, about.
const domainBytes = 256

// domain returns what is known of a registered domain, and keeps it.
func (s *State) domain(name string) (*domain, error) {
	key := domainKey(s.set.Hash().Sum([]byte(name)))
	d := s.domains[key]
	if d == nil {
		d = &domain{key: key, name: name}
		value, ok, err := s.set.Get(key)
		if err == nil && ok {
			err = d.unpack(value)
		}
		if err != nil {
			return nil, fmt.Errorf("state of the frontier: domain %s: %w", name, err)
		}
		s.domains[key] = d
		s.held += domainBytes
	}
	if d.name != name {
		return nil, fmt.Errorf("state of the frontier: domains %s and %s have the same key %v", d.name, name, key)
	}
	return d, nil
}

// domainOf returns the domain of a host. Where there is no budget for domains it is one of which nothing
// is known or remembered.
func (s *State) domainOf(r *row) (d *domain, err error) {
	if s.rules.Domain == (Budget{}) {
		return &domain{}, nil
	}
	if r.domain == nil {
		r.domain, err = s.domain(registered.Domain("http://" + r.name + "/"))
	}
	return r.domain, err
}
