package canon

import (
	"net/netip"
	"strings"
)

// maxHost and maxLabel are the bounds of DNS (RFC 1035, section 2.3.4) on a name without its final
// dot.
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

// text is a canonical URL, or a part of one.
type text interface{ string | []byte }

// Scheme returns "http" or "https".
func Scheme[T text](url T) T {
	scheme, _, _ := Split(url)
	return scheme
}

// Host returns the host and, where it is not the scheme's own, the port: "example.org",
// "example.org:8080", "[2001:db8::1]". It is the key by which the crawl counts and spreads hosts.
func Host[T text](url T) T {
	_, host, _ := Split(url)
	return host
}

// Hostname returns the host without its port; an IPv6 address keeps its brackets.
func Hostname[T text](url T) T {
	host := Host(url)
	for i := len(host) - 1; i >= 0 && host[i] != ']'; i-- {
		if host[i] == ':' {
			return host[:i]
		}
	}
	return host
}

// Path returns what stands behind the host: the path, and the query with its "?".
func Path[T text](url T) T {
	_, _, path := Split(url)
	return path
}

// Split cuts a canonical URL into what Scheme, Host and Path give. Of what has no "://" all is
// scheme.
func Split[T text](url T) (scheme, host, path T) {
	for i := 0; i+2 < len(url); i++ {
		if url[i] != ':' || url[i+1] != '/' || url[i+2] != '/' {
			continue
		}
		at := i + len("://")
		end := at
		for end < len(url) && url[end] != '/' {
			end++
		}
		return url[:i], url[at:end], url[end:]
	}
	return url, url[:0], url[:0]
}

// AppendSURT appends the sort-friendly form of url to dst, in which the host's labels are reversed,
// so that a prefix names a domain, a host or a folder: "http://(org,example,www,)/path",
// "https://(org,example,:8080)/". Addresses are not reversed: "http://(192.0.2.1)/".
func AppendSURT[T text](dst []byte, url T) []byte {
	scheme, host, path := Split(url)
	name := Hostname(url)
	dst = append(append(dst, scheme...), "://("...)
	if IsAddress(name) {
		dst = append(dst, name...)
	} else {
		dst = appendReversed(dst, name)
	}
	dst = append(append(dst, host[len(name):]...), ')')
	return append(dst, path...)
}

// appendReversed appends the labels of name, last first, a comma behind each.
func appendReversed[T text](dst []byte, name T) []byte {
	for end := len(name); end > 0; {
		label := end
		for label > 0 && name[label-1] != '.' {
			label--
		}
		dst = append(append(dst, name[label:end]...), ',')
		end = label - 1
	}
	return dst
}

// IsAddress reports whether the name of a host, without its port, is an IP address. One that begins
// and ends otherwise than an address does is none.
func IsAddress[T text](name T) bool {
	if len(name) == 0 || name[0] == '[' {
		return len(name) > 0
	}
	if !isDigit(name[0]) || !isDigit(name[len(name)-1]) {
		return false
	}
	_, err := netip.ParseAddr(string(name))
	return err == nil
}
