package canon

import "bytes"

// authorityEnd finds the end of the host and port that begin at ref[at]. ok tells that they are in
// canonical form as they stand: labels of a-z, 0-9 and "-" of which the last begins with a letter, or an
// IPv4 address; and no port, or one that is not the scheme's own.
func authorityEnd(ref []byte, at int, https bool) (end int, ok bool) {
	host, label := at, at
	for ; at < len(ref); at++ {
		if kind := hostBytes[ref[at]]; kind == special {
			return 0, false
		} else if kind == ends {
			break
		} else if kind == dot {
			if !plainLabel(ref[label:at]) {
				return 0, false
			}
			label = at + 1
		}
	}
	if at-host > maxHost || !plainLabel(ref[label:at]) || isDigit(ref[label]) && !isAddress(string(ref[host:at])) {
		return 0, false
	}
	if at < len(ref) && ref[at] == ':' {
		return portEnd(ref, at+1, https)
	}
	return at, true
}

// plainLabel tells whether a label of a-z, 0-9 and "-" is surely left as it is: "xn--" begins one that
// IDNA looks into, and "-5" could be the number that makes a name an address.
func plainLabel(label []byte) bool {
	return len(label) > 0 && len(label) <= maxLabel && label[0] != '-' && !bytes.HasPrefix(label, []byte("xn--"))
}

// portEnd finds the end of the port that begins at ref[at]. ok tells that it is one, without zeros in
// front, and not the scheme's own.
func portEnd(ref []byte, at int, https bool) (end int, ok bool) {
	port, first := 0, at
	for ; at < len(ref) && isDigit(ref[at]) && port <= maxPort; at++ {
		port = 10*port + int(ref[at]-'0')
	}
	own := 80
	if https {
		own = 443
	}
	if at == first || ref[first] == '0' || port > maxPort || port == own {
		return 0, false
	}
	return at, at == len(ref) || ref[at] != ':' && hostBytes[ref[at]] == ends
}

const maxPort = 1<<16 - 1

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
