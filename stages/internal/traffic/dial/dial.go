// Package dial connects to servers of the public internet and to no others, unless
// the user names them.
//
// A link of a stranger's page may carry any host name, and the name's owner may let
// it point anywhere: to the loopback of the crawling machine, to the printer beside
// it, to the address where a cloud tells its machines their passwords. So:
//
//   - Policy says which addresses may be connected to. What is not globally reachable
//     unicast is refused, and so are this machine's own addresses; IPv4 inside IPv6 is
//     judged as IPv4, and -allow-private opens the ranges it names (Policy.Set).
//   - Ports at which other protocols listen (mail, ssh, …) are refused, those that
//     browsers refuse.
//   - Names are resolved once (Dialer.Find), the good addresses pinned, and Dialer.Dial
//     connects to pinned addresses only. It never sees a name, so an answer of the
//     name server that changes in between has no effect; and each address is judged
//     again at the moment of the connect.
//   - ConnectTo sends names to an address of the user's choice, as curl's -connect-to
//     does. The user has named that address, so it need not be opened by
//     -allow-private as well; no other address or port is opened by it.
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

// A Dialer finds servers and connects to them, within what the user has allowed. It is safe for use
// by many goroutines; its fields must not change meanwhile.
type Dialer struct {
	Policy    Policy
	ConnectTo ConnectTo
	// Server is the ADDR:PORT of the name server; empty means those of the system's
	// configuration.
	Server string
	// Timeout bounds one look-up; 0 means 10 seconds.
	Timeout time.Duration
}

// Dial connects by TCP to the first of addrs that answers, in their order. Each is
// given an equal share of the time that is left of timeout, so that a dead first
// address does not use up the time of a living second.
//
// An error wraps ErrPrivate or ErrPort where Policy refuses an address, else that of the last
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
	// No probes of the system: no connection is silent for as long as it takes to send one.
	nd := net.Dialer{Timeout: timeout, ControlContext: d.control, KeepAlive: -1}
	return nd.DialContext(ctx, "tcp", addr.String())
}

// control judges the address that the socket is about to connect to. It is the last
// gate, behind whatever led here.
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
