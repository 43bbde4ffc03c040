package dial

import (
	"fmt"
	"net"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ConnectTo maps hosts to addresses that the user names, without a request to the name server. Uses
// are a test of a site before its name points to it, and a web that exists only on the loopback
// interface. Set adds a rule
//
//	PATTERN=ADDR:PORT
//
// PATTERN is a host name or a glob of one ("*", "*.example.org"), followed by ":PORT" if the rule
// is for one port only. "*" also matches dots. The first pattern that matches decides. The URL, the
// Host header and the name that TLS verifies do not change.
type ConnectTo struct {
	rules []connectRule
}

type connectRule struct {
	host, port string // port "" means any port
	target     netip.AddrPort
}

// Lookup returns the address that the user has named for host and port.
func (c *ConnectTo) Lookup(host string, port uint16) (netip.AddrPort, bool) {
	host = strings.Trim(host, "[]")
	for _, r := range c.rules {
		if r.port != "" && r.port != strconv.Itoa(int(port)) {
			continue
		}
		if ok, _ := path.Match(r.host, host); ok {
			return r.target, true
		}
	}
	return netip.AddrPort{}, false
}

// names reports whether the user has named the address for any host.
func (c *ConnectTo) names(addr netip.AddrPort) bool {
	return slices.ContainsFunc(c.rules, func(r connectRule) bool { return r.target == addr })
}

// Set adds one PATTERN=ADDR:PORT.
func (c *ConnectTo) Set(s string) error {
	pattern, to, ok := strings.Cut(s, "=")
	if !ok || pattern == "" {
		return fmt.Errorf("%q: want PATTERN=ADDR:PORT, such as '*.test=127.0.0.1:8080'", s)
	}
	target, err := netip.ParseAddrPort(to)
	if err != nil || target.Port() == 0 {
		return fmt.Errorf("%q: %q is no ADDR:PORT with a numeric address, such as 127.0.0.1:8080", s, to)
	}
	host, port := strings.ToLower(pattern), ""
	if h, p, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(p, 10, 16); err != nil {
			return fmt.Errorf("%q: %q is no port", s, p)
		}
		host, port = h, p
	}
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		host = addr.String()
	}
	if _, err := path.Match(host, ""); err != nil {
		return fmt.Errorf("%q: host pattern %q: %w", s, host, err)
	}
	c.rules = append(c.rules, connectRule{host, port, target})
	return nil
}
