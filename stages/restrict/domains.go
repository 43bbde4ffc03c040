package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/registered"
)

// trapHosts is the reason of a URL whose host is one too many of its domain.
const trapHosts = "trap-hosts"

// domains bounds how many hosts of one registered domain a crawl takes up. The package comment
// has the format of its state.
type domains struct {
	max   int
	set   *segment.Set
	hosts map[uint64]bool   // of this run, by key: whether they are taken up
	count map[string]hosted // by domain, for the domains of this run
	fresh []uint64          // keys of the hosts that this run has taken up
	room  []byte            // for what is hashed
}

// hosted is how many hosts of a domain are taken up, and whether this run has taken up one of them.
type hosted struct {
	n     uint64
	grown bool
}

// openDomains opens the state that the file list names.
func openDomains(list string, hash *keyed.Hash, max int) (*domains, error) {
	set, err := segment.OpenSet(list, hash)
	if err != nil {
		return nil, err
	}
	return &domains{max: max, set: set, hosts: map[uint64]bool{}, count: map[string]hosted{}}, nil
}

// admit tells whether the host of the canonical URL is one of those that are taken up, and takes it
// up if there is room in its domain or the URL is a seed.
func (d *domains) admit(url []byte, seed bool) (bool, error) {
	host := canon.Host(url)
	key := d.hostKey(host)
	if in, asked := d.hosts[key]; asked && (in || !seed) {
		return in, nil
	}
	in, err := d.known(key)
	if err != nil {
		return false, err
	}
	if !in {
		domain := domainOf(url)
		n, err := d.hostsOf(domain)
		if err != nil {
			return false, err
		}
		if in = seed || n < uint64(d.max); in {
			d.count[domain] = hosted{n + 1, true}
			d.fresh = append(d.fresh, key)
		}
	}
	d.hosts[key] = in
	return in, nil
}

// domainOf is the registered domain of the URL, or for an IPv6 address its network of 48 bits: who
// has such a one has more addresses than there are names.
func domainOf(url []byte) string {
	domain := string(registered.Domain(url)) // which is kept, and must not keep the URL
	addr, err := netip.ParseAddr(strings.Trim(domain, "[]"))
	if err != nil || addr.Is4() {
		return domain
	}
	network, err := addr.Prefix(48)
	if err != nil {
		return domain
	}
	return network.String()
}

// known tells whether the host of key was taken up by an earlier run.
func (d *domains) known(key uint64) (bool, error) {
	_, known, err := d.set.Get(key)
	return known, err
}

// hostsOf tells how many hosts of a domain are taken up.
func (d *domains) hostsOf(domain string) (uint64, error) {
	if known, ok := d.count[domain]; ok {
		return known.n, nil
	}
	value, ok, err := d.set.Get(d.domainKey(domain))
	if err != nil || !ok {
		return 0, err
	}
	n, name, err := unpackCount(value)
	if err != nil {
		return 0, fmt.Errorf("count the hosts of %s: %w", domain, err)
	}
	if name != domain { // another one of the same key, which is then bounded by itself
		return 0, nil
	}
	d.count[domain] = hosted{n, false}
	return n, nil
}

// save writes what the run has taken up as a new segment of the state.
func (d *domains) save(files *output.Run, path string, rep *report.Report) error {
	var b segment.Entries
	for _, key := range d.fresh {
		b.Add(key, nil)
	}
	for domain, c := range d.count {
		if c.grown {
			b.Add(d.domainKey(domain), packCount(c.n, domain))
		}
	}
	if err := d.set.Append(files, path, b, rep); err != nil {
		return fmt.Errorf("save the hosts of domains: %w", err)
	}
	return nil
}

func (d *domains) hostKey(host []byte) uint64 {
	d.room = append(append(d.room[:0], "host "...), host...)
	return d.set.Hash().Sum(d.room)
}

// domainText is what the key of a domain is made of.
func domainText(domain string) string { return "domain " + domain }

func (d *domains) domainKey(domain string) uint64 {
	return d.set.Hash().Sum([]byte(domainText(domain)))
}

const countVersion = 1

func packCount(n uint64, domain string) []byte {
	return append(binary.AppendUvarint([]byte{countVersion}, n), domain...)
}

// unpackCount reads the value of a domain. It takes any bytes.
func unpackCount(b []byte) (n uint64, domain string, err error) {
	f := segment.FieldsOf(b)
	f.Version(countVersion)
	n = f.Number(math.MaxUint32)
	if domain = string(f.Rest()); domain == "" {
		f.Fail(errors.New("entry of no domain"))
	}
	return n, domain, f.End()
}

// checkEntry checks an entry of the state, and gives the text that its key is made of.
func checkEntry(value []byte) (text string, err error) {
	if len(value) == 0 {
		return "", nil // a host; its name is not kept
	}
	_, domain, err := unpackCount(value)
	return domainText(domain), err
}
