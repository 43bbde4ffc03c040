package dial

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"multitext/stages/internal/web/canon"
)

// A Finder tells where the server of a URL is, within what the user has allowed.
type Finder struct {
	Resolver  Resolver
	Policy    Policy
	ConnectTo ConnectTo
}

// Flags declares the flags that fill f: -allow-private, -connect-to and -dns.
func (f *Finder) Flags(fs *flag.FlagSet) {
	fs.Var(&f.Policy, "allow-private", "connect to addresses in `CIDR` too, which are not on the public internet, as\n127.0.0.0/8,::1; may be given more than once")
	fs.Var(&f.ConnectTo, "connect-to", "by `PATTERN=ADDR:PORT`, connect to that address for hosts that match (*.test, * or\nHOST:PORT), whatever DNS says; may be given more than once, the first match holds")
	fs.Func("dns", "ask the name server at `ADDR[:PORT]` instead of the system's", func(s string) error {
		if addr, err := netip.ParseAddr(s); err == nil {
			s = netip.AddrPortFrom(addr, 53).String()
		}
		if _, err := netip.ParseAddrPort(s); err != nil {
			return fmt.Errorf("%q is no numeric address such as 192.0.2.1 or 127.0.0.1:5353", s)
		}
		f.Resolver.Server = s
		return nil
	})
}

// Dialer returns a Dialer that keeps to what f allows.
func (f *Finder) Dialer() *Dialer {
	return &Dialer{Policy: &f.Policy, Named: f.ConnectTo.Targets()}
}

// Named returns the address that the user has named for the server of the canonical URL.
func (f *Finder) Named(url string) (netip.AddrPort, bool) {
	return f.ConnectTo.Lookup(canon.Hostname(url), port(url))
}

// Find returns the addresses to connect to for the canonical URL: the one that the user
// has named, else those of DNS that Policy allows. The error wraps ErrPort, ErrNoHost, ErrDNS
// or, if there are addresses but none is allowed, ErrPrivate.
func (f *Finder) Find(ctx context.Context, url string) ([]netip.AddrPort, error) {
	if target, ok := f.Named(url); ok {
		return []netip.AddrPort{target}, nil
	}
	if err := checkPort(port(url)); err != nil {
		return nil, err
	}
	addrs, err := f.Resolver.Lookup(ctx, canon.Hostname(url))
	if err != nil {
		return nil, err
	}
	pinned := make([]netip.AddrPort, len(addrs))
	for i, addr := range addrs {
		pinned[i] = netip.AddrPortFrom(addr, port(url))
	}
	return f.Allowed(pinned)
}

// Allowed returns those of addrs that Policy allows; none left is an error that wraps
// ErrPrivate or ErrPort.
func (f *Finder) Allowed(addrs []netip.AddrPort) ([]netip.AddrPort, error) {
	var allowed []netip.AddrPort
	err := errors.New("no address")
	for _, addr := range addrs {
		if err = f.Policy.CheckPort(addr); err == nil {
			allowed = append(allowed, addr)
		}
	}
	if len(allowed) == 0 {
		return nil, err
	}
	return allowed, nil
}

// port is the port of a canonical URL.
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
