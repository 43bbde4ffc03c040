package dial

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// ErrPrivate is wrapped by the error for an address that Policy refuses.
var ErrPrivate = errors.New("is not on the public internet (-allow-private CIDR opens it)")

// A Policy decides to which addresses connections are allowed. The zero value refuses all addresses
// that are not on the public internet.
type Policy struct {
	allowed []netip.Prefix
	own     func() ([]netip.Addr, error) // addresses of this machine; nil is ownAddresses
}

// closed has the ranges without hosts of the public internet: the special-purpose registries of RFC
// 6890 that are not globally reachable, and the multicast and reserved blocks. The metadata
// services of clouds are in 169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24 and fc00::/7.
//
// In IPv6 only 2000::/3 is allocated; closedName refuses all other addresses. The table is never
// modified.
var closed = []closedRange{
	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("168.63.129.16/32"), "cloud metadata"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "protocol assignments"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},

	{netip.MustParsePrefix("2001::/23"), "protocol assignments"}, // with Teredo
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
}

type closedRange struct {
	prefix netip.Prefix
	name   string
}

// Check returns nil if connections to addr are allowed. Otherwise it returns an error that wraps
// ErrPrivate and names the range. It refuses the addresses of this machine in any range. It treats
// an IPv6 address that contains an IPv4 address (mapped, 6to4, NAT64) as that IPv4 address.
func (p *Policy) Check(addr netip.Addr) error {
	inner := embedded(addr)
	for _, allowed := range p.allowed {
		if allowed.Contains(inner) || allowed.Contains(addr.WithZone("")) {
			return nil
		}
	}
	if name := closedName(inner); name != "" {
		return fmt.Errorf("address %s (%s) %w", addr, name, ErrPrivate)
	}
	list := ownAddresses
	if p.own != nil {
		list = p.own
	}
	own, err := list()
	if err != nil {
		return err
	}
	if slices.Contains(own, inner) {
		return fmt.Errorf("address %s (this machine) %w", addr, ErrPrivate)
	}
	return nil
}

func closedName(addr netip.Addr) string {
	for _, c := range closed {
		if c.prefix.Contains(addr) {
			return c.name
		}
	}
	global := netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20}), 3)
	switch {
	case !addr.IsValid():
		return "no address"
	case addr.Is4() || global.Contains(addr):
		return ""
	case addr.IsLoopback():
		return "loopback"
	case addr.IsPrivate():
		return "private"
	case addr.IsLinkLocalUnicast():
		return "link-local"
	case addr.IsMulticast():
		return "multicast"
	}
	return "reserved"
}

// embedded returns the IPv4 address inside addr if it is ::ffff:a.b.c.d, the NAT64
// prefix 64:ff9b::/96 or 6to4 2002::/16, else addr without its zone.
func embedded(addr netip.Addr) netip.Addr {
	addr = addr.WithZone("").Unmap()
	if !addr.Is6() {
		return addr
	}
	b := addr.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case netip.MustParsePrefix("2002::/16").Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return addr
}

// Set allows the ranges in s: CIDRs or single addresses, separated by commas.
func (p *Policy) Set(s string) error {
	for _, word := range strings.Split(s, ",") {
		word = strings.TrimSpace(word)
		prefix, err := netip.ParsePrefix(word)
		if err != nil {
			addr, addrErr := netip.ParseAddr(word)
			if addrErr != nil {
				return fmt.Errorf("%q is no address range: want one such as 127.0.0.0/8", word)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		p.allowed = append(p.allowed, prefix.Masked())
	}
	return nil
}
