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

// trapHosts is the reason for a URL whose domain already has too many hosts.
const trapHosts = "trap-hosts"

// domains limits the number of hosts that a crawl accepts from one registered domain. The package
// comment describes the format of its state.
type domains struct {
	max   int
	set   *segment.Set
	hosts map[uint64]bool   // hosts of this run, by key: whether they are accepted
	count map[string]hosted // for each domain of this run
	fresh []uint64          // keys of the hosts that this run has accepted
	room  []byte            // buffer for the text to hash
}

// hosted has the number of accepted hosts of a domain, and whether this run has accepted one of
// them.
type hosted struct {
	n     uint64
	grown bool
}

// openDomains opens the state whose segments are listed in the file list.
func openDomains(list string, hash *keyed.Hash, max int) (*domains, error) {
	set, err := segment.OpenSet(list, hash)
	if err != nil {
		return nil, err
	}
	return &domains{max: max, set: set, hosts: map[uint64]bool{}, count: map[string]hosted{}}, nil
}

// admit reports whether the host of the canonical URL is accepted. It accepts a new host if its
// domain has room or the URL is a seed.
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

// domainOf returns the registered domain of the URL. For an IPv6 address it returns the network of
// 48 bits, because the owner of such a network has more addresses than a domain has hosts.
func domainOf(url []byte) string {
	domain := string(registered.Domain(url)) // a copy, which does not keep url in memory
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

// known reports whether an earlier run accepted the host with this key.
func (d *domains) known(key uint64) (bool, error) {
	_, known, err := d.set.Get(key)
	return known, err
}

// hostsOf returns the number of accepted hosts of a domain.
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
	if name != domain { // another domain with the same key; this one is counted separately
		return 0, nil
	}
	d.count[domain] = hosted{n, false}
	return n, nil
}

// save writes the hosts that the run has accepted to a new segment of the state.
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

// domainText returns the text whose hash is the key of a domain.
func domainText(domain string) string { return "domain " + domain }

func (d *domains) domainKey(domain string) uint64 {
	return d.set.Hash().Sum([]byte(domainText(domain)))
}

const countVersion = 1

func packCount(n uint64, domain string) []byte {
	return append(binary.AppendUvarint([]byte{countVersion}, n), domain...)
}

// unpackCount decodes the value of a domain. b may be any bytes.
func unpackCount(b []byte) (n uint64, domain string, err error) {
	f := segment.FieldsOf(b)
	f.Version(countVersion)
	n = f.Number(math.MaxUint32)
	if domain = string(f.Rest()); domain == "" {
		f.Fail(errors.New("the entry has no name of a domain"))
	}
	return n, domain, f.End()
}

// checkEntry checks an entry of the state. It returns the text whose hash must be the entry's key.
func checkEntry(value []byte) (text string, err error) {
	if len(value) == 0 {
		return "", nil // a host; its name is not stored
	}
	_, domain, err := unpackCount(value)
	return domainText(domain), err
}
