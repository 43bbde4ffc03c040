package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"
)

var (
	// ErrNoHost is wrapped by Lookup where the name server says for certain that the
	// name does not exist or has no address.
	ErrNoHost = errors.New("no such host")
	// ErrDNS is wrapped by Lookup for any other failure; a later try may succeed.
	ErrDNS = errors.New("name server failed")
)

// A Resolver finds the addresses of host names.
type Resolver struct {
	// Server is the ADDR:PORT of the name server; empty means those of the system's
	// configuration.
	Server string
	// Timeout bounds one Lookup; 0 means 10 seconds.
	Timeout time.Duration
}

// maxAddrs bounds how many addresses of one name are kept.
const maxAddrs = 4

// Lookup returns up to four addresses of host, in the order in which they are to be
// tried. A host that is an address is returned as it is, "[::1]" with or without its
// brackets. No address is judged: that is Policy's.
//
// Names are taken as absolute, so that the search domains of this machine are not
// tried for a stranger's "http://intranet/". The error wraps ErrNoHost or ErrDNS.
func (r *Resolver) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return []netip.Addr{addr}, nil
	}
	timeout := r.Timeout
	if timeout == 0 {
		timeout = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	addrs, err := r.resolver().LookupNetIP(ctx, "ip", strings.TrimSuffix(host, ".")+".")
	if err != nil {
		return nil, lookupError(host, err)
	}
	if len(addrs) > maxAddrs {
		addrs = addrs[:maxAddrs]
	}
	for i, a := range addrs {
		addrs[i] = a.Unmap()
	}
	return addrs, nil
}

// resolver is Go's own: that of the C library takes a thread for each lookup.
func (r *Resolver) resolver() *net.Resolver {
	res := &net.Resolver{PreferGo: true}
	if r.Server != "" {
		res.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, r.Server)
		}
	}
	return res
}

func lookupError(host string, err error) error {
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return fmt.Errorf("look up %s: %w", host, ErrNoHost)
	}
	return fmt.Errorf("look up %s: %w: %w", host, ErrDNS, err)
}
