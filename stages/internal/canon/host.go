package canon

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// maxHost and maxLabel are the bounds of DNS (RFC 1035, section 2.3.4) on a name without its final dot.
const (
	maxHost  = 253
	maxLabel = 63
)

// canonicalHost checks a parsed host. The URL standard lets through names that no server can have.
func canonicalHost(host string) (string, error) {
	if strings.HasPrefix(host, "[") {
		return host, nil
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > maxHost {
		return "", ErrHost
	}
	for label := range strings.SplitSeq(host, ".") {
		if !validLabel(label) {
			return "", ErrHost
		}
	}
	return host, nil
}

func validLabel(label string) bool {
	if label == "" || len(label) > maxLabel {
		return false
	}
	for i := 0; i < len(label); i++ {
		c := label[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

// Scheme gives "http" or "https".
func Scheme(url string) string {
	scheme, _, _ := strings.Cut(url, "://")
	return scheme
}

// Host gives the host and, where it is not the scheme's own, the port: "example.org",
// "example.org:8080", "[2001:db8::1]". It is the key by which the crawl counts and spreads hosts.
func Host(url string) string {
	host, _ := split(url)
	return host
}

// Hostname gives the host without its port; an IPv6 address keeps its brackets.
func Hostname(url string) string {
	host := Host(url)
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i]
	}
	return host
}

// Path gives what stands behind the host: the path, and the query with its "?".
func Path(url string) string {
	_, path := split(url)
	return path
}

// Domain gives the registered domain (one label more than the public suffix, "example.co.uk" for
// "www.example.co.uk"). An address, and a name that has no registered domain, stand for themselves.
func Domain(url string) string {
	name := Hostname(url)
	if isAddress(name) {
		return name
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	if err != nil {
		return name
	}
	return domain
}

// SURT gives the sort-friendly form, in which the host's labels are reversed, so that a prefix
// names a domain, a host or a folder: "http://(org,example,www,)/path",
// "https://(org,example,:8080)/". Addresses are not reversed: "http://(192.0.2.1)/". The scheme is
// kept.
func SURT(url string) string {
	host, path := split(url)
	name := Hostname(url)
	port := host[len(name):]
	var b strings.Builder
	b.Grow(len(url) + 3)
	b.WriteString(Scheme(url))
	b.WriteString("://(")
	if isAddress(name) {
		b.WriteString(name)
	} else {
		writeReversed(&b, name)
	}
	b.WriteString(port)
	b.WriteByte(')')
	b.WriteString(path)
	return b.String()
}

// writeReversed writes the labels of name, last first, a comma behind each.
func writeReversed(b *strings.Builder, name string) {
	for name != "" {
		i := strings.LastIndexByte(name, '.')
		b.WriteString(name[i+1:])
		b.WriteByte(',')
		name = name[:max(i, 0)]
	}
}

// split cuts a canonical URL into its host with port and the rest.
func split(url string) (host, path string) {
	_, rest, _ := strings.Cut(url, "://")
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		return rest, ""
	}
	return rest[:i], rest[i:]
}

// isAddress tells whether the name of a host, without its port, is an IP address.
func isAddress(name string) bool {
	if strings.HasPrefix(name, "[") {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}
