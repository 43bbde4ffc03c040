package dial

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"multitext/stages/internal/web/canon"
)

var (
	// ErrNoHost is wrapped by errors of Find if the name server says definitely that the name does
	// not exist or has no address.
	ErrNoHost = errors.New("no such host")
	// ErrDNS is wrapped by errors of Find for any other failure. A later try may succeed.
	ErrDNS = errors.New("name server failed")
)

// Flags declares the flags that fill d: -allow-private, -connect-to and -dns.
func (d *Dialer) Flags(fs *flag.FlagSet) {
	fs.Func("allow-private", "connect to addresses in `CIDR` too, which are not on the public internet, as\n"+
		"127.0.0.0/8,::1; may be given more than once", d.Policy.Set)
	fs.Func("connect-to", "by `PATTERN=ADDR:PORT`, connect to that address for hosts that match (*.test, * or\n"+
		"HOST:PORT), whatever DNS says; may be given more than once, the first match holds", d.ConnectTo.Set)
	fs.Func("dns", "ask the name server at `ADDR[:PORT]` instead of the system's", func(s string) error {
		if addr, err := netip.ParseAddr(s); err == nil {
			s = netip.AddrPortFrom(addr, 53).String()
		}
		if _, err := netip.ParseAddrPort(s); err != nil {
			return fmt.Errorf("%q is no numeric address such as 192.0.2.1 or 127.0.0.1:5353", s)
		}
		d.Server = s
		return nil
	})
}

// Named returns the address that the user has named for the server of the canonical URL.
func (d *Dialer) Named(url string) (netip.AddrPort, bool) {
	return d.ConnectTo.Lookup(canon.Hostname(url), port(url))
}

// Find returns the addresses for connections to the server of the canonical URL. This is the
// address that the user has named, else the addresses from DNS that Policy allows. The error wraps
// ErrPort, ErrNoHost, ErrDNS or, if there are addresses but none is allowed, ErrPrivate.
func (d *Dialer) Find(ctx context.Context, url string) ([]netip.AddrPort, error) {
	if target, ok := d.Named(url); ok {
		return []netip.AddrPort{target}, nil
	}
	if err := checkPort(port(url)); err != nil {
		return nil, err
	}
	addrs, err := d.lookup(ctx, canon.Hostname(url))
	if err != nil {
		return nil, err
	}
	pinned := make([]netip.AddrPort, len(addrs))
	for i, addr := range addrs {
		pinned[i] = netip.AddrPortFrom(addr.Unmap(), port(url))
	}
	return d.Allowed(pinned)
}

// maxAddrs is the maximum number of addresses that are kept for a name.
const maxAddrs = 4

// lookup returns up to maxAddrs addresses of host, in the order in which to try them. If host is an
// address, lookup returns that address. It does not check addresses.
//
// Names are treated as absolute, so that a link to "http://intranet/" does not use the search
// domains of this machine. The resolver is Go's own, because that of the C library needs a thread
// for each lookup.
func (d *Dialer) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return []netip.Addr{addr}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.Timeout, 10*time.Second))
	defer cancel()
	resolver := &net.Resolver{PreferGo: true}
	if d.Server != "" {
		resolver.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, d.Server)
		}
	}
	addrs, err := resolver.LookupNetIP(ctx, "ip", strings.TrimSuffix(host, ".")+".")
	var dns *net.DNSError
	switch {
	case err == nil:
		return addrs[:min(len(addrs), maxAddrs)], nil
	case errors.As(err, &dns) && dns.IsNotFound:
		return nil, fmt.Errorf("look up %s: %w", host, ErrNoHost)
	}
	return nil, fmt.Errorf("look up %s: %w: %w", host, ErrDNS, err)
}

// Allowed returns those of addrs that Policy allows. If there are none, it returns an error that
// wraps ErrPrivate or ErrPort.
func (d *Dialer) Allowed(addrs []netip.AddrPort) ([]netip.AddrPort, error) {
	var allowed []netip.AddrPort
	err := errors.New("no address")
	for _, addr := range addrs {
		if err = d.Policy.CheckPort(addr); err == nil {
			allowed = append(allowed, addr)
		}
	}
	if len(allowed) == 0 {
		return nil, err
	}
	return allowed, nil
}

// port returns the port of a canonical URL.
func port(url string) uint16 {
	digits := strings.TrimPrefix(canon.Host(url), canon.Hostname(url))
	if n, err := strconv.ParseUint(strings.TrimPrefix(digits, ":"), 10, 16); err == nil {
		return uint16(n)
	}
	if canon.Scheme(url) == "https" {
		return 443
	}
	return 80
}
