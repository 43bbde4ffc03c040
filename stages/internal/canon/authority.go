package canon

// appendAuthority appends the host and port at ref[at:] to dst, and gives their end.
func appendAuthority(dst, ref []byte, at int, https bool) (url []byte, end int, ok bool) {
	end, upper, ok := authorityEnd(ref, at, https)
	if !ok {
		return nil, 0, false
	}
	from := len(dst)
	dst = append(dst, ref[at:end]...)
	if upper {
		for i := from; i < len(dst); i++ {
			if hostBytes[dst[i]] == capital {
				dst[i] += 'a' - 'A'
			}
		}
	}
	return dst, end, true
}

// authorityEnd finds the end of the host and port that begin at ref[at]. ok tells that they are in
// canonical form as they stand, but for upper case: labels of letters, digits and "-" of which the last
// begins with a letter, or an IPv4 address; and no port, or one that is not the scheme's own.
func authorityEnd(ref []byte, at int, https bool) (end int, upper, ok bool) {
	host, label := at, at
scan:
	for ; at < len(ref); at++ {
		switch hostBytes[ref[at]] {
		case itself:
		case capital:
			upper = true
		case dot:
			if !plainLabel(ref[label:at]) {
				return 0, false, false
			}
			label = at + 1
		case ends:
			break scan
		default:
			return 0, false, false
		}
	}
	if at-host > maxHost || !plainLabel(ref[label:at]) || isDigit(ref[label]) && !isAddress(ref[host:at]) {
		return 0, false, false
	}
	if at < len(ref) && ref[at] == ':' {
		at, ok = portEnd(ref, at+1, https)
		return at, upper, ok
	}
	return at, upper, true
}

// plainLabel tells whether a label of letters, digits and "-" is surely left as it is, but for its case:
// "xn--" begins one that IDNA looks into, and "-5" could be the number that makes a name an address.
func plainLabel(label []byte) bool {
	if len(label) == 0 || len(label) > maxLabel || label[0] == '-' {
		return false
	}
	return len(label) < len("xn--") || label[2] != '-' || label[3] != '-' || label[0]|0x20 != 'x' || label[1]|0x20 != 'n'
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
