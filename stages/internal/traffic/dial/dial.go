// Package dial connects only to servers of the public internet, and to servers that the user names.
//
// A link may contain any host name, and the owner of the name may let it point to any address: the
// loopback of the crawling machine, a printer in its network, or the address from which a cloud's
// machines get their passwords. So:
//
//   - Policy decides to which addresses connections are allowed. It refuses addresses that are not
//     globally reachable unicast, and this machine's own addresses. IPv4 inside IPv6 is treated as
//     IPv4. -allow-private allows the ranges that it names (Policy.Set).
//   - Ports of other protocols (mail, ssh, …) are refused. The list is that of browsers.
//   - Dialer.Find resolves a name once and pins the allowed addresses. Dialer.Dial connects only to
//     pinned addresses. It never sees a name, so a later answer of the name server has no effect.
//     It checks each address again when it connects.
//   - ConnectTo maps names to an address that the user chooses, as curl's -connect-to does. This
//     address is allowed without -allow-private; no other address or port becomes allowed.
package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// A Dialer finds servers and connects to them, within what the user has allowed. It is safe for
// concurrent use; its fields must not change meanwhile.
type Dialer struct {
	Policy    Policy
	ConnectTo ConnectTo
	// Server is the ADDR:PORT of the name server; empty means those of the system's
	// configuration.
	Server string
	// Timeout is the maximum time of one lookup; 0 means 10 seconds.
	Timeout time.Duration
}

// Dial connects by TCP to the first of addrs that answers, in their order. Each address gets an
// equal share of the remaining timeout, so that a dead first address does not use up the time of
// the second.
//
// An error wraps ErrPrivate or ErrPort if Policy refuses an address, else the error of the last
// address tried.
func (d *Dialer) Dial(ctx context.Context, addrs []netip.AddrPort, timeout time.Duration) (net.Conn, error) {
	err := errors.New("connect: no address given")
	deadline := time.Now().Add(timeout)
	for i, addr := range addrs {
		share := time.Until(deadline) / time.Duration(len(addrs)-i)
		var c net.Conn
		if c, err = d.dialOne(ctx, addr, share); err == nil {
			return c, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, err
}

func (d *Dialer) dialOne(ctx context.Context, addr netip.AddrPort, timeout time.Duration) (net.Conn, error) {
	if timeout <= 0 {
		return nil, fmt.Errorf("connect to %s: %w", addr, context.DeadlineExceeded)
	}
	// Keep-alive probes are off: no connection is silent long enough to need one.
	nd := net.Dialer{Timeout: timeout, ControlContext: d.control, KeepAlive: -1}
	return nd.DialContext(ctx, "tcp", addr.String())
}

// control checks the address to which the socket is about to connect. It is the last check,
// whatever came before.
func (d *Dialer) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("judge address %q: %w", address, err)
	}
	if d.ConnectTo.names(ap) {
		return nil
	}
	return d.Policy.CheckPort(ap)
}
