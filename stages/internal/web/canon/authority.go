package canon

// appendAuthority appends the host and port at ref[at:] to dst, and gives their end: the port is
// left out where it is the scheme's own. ok tells that they are plain: labels of letters, digits
// and "-" of which the last begins with a letter, or an IPv4 address; and no port, or one of plain
// digits.
func appendAuthority(dst, ref []byte, at int, https bool) (url []byte, end int, ok bool) {
	host, label := at, at
scan:
	for ; at < len(ref); at++ {
		c := ref[at]
		switch hostBytes[c] {
		case itself:
		case capital:
			c += 'a' - 'A'
		case dot:
			if !plainLabel(ref[label:at]) {
				return nil, 0, false
			}
			label = at + 1
		case ends:
			break scan
		default:
			return nil, 0, false
		}
		dst = append(dst, c)
	}
	if at-host > maxHost || !plainLabel(ref[label:at]) || isDigit(ref[label]) && !IsAddress(ref[host:at]) {
		return nil, 0, false
	}
	if at == len(ref) || ref[at] != ':' {
		return dst, at, true
	}
	end, own, ok := portEnd(ref, at+1, https)
	if ok && !own {
		dst = append(dst, ref[at:end]...)
	}
	return dst, end, ok
}

// plainLabel reports whether a label of letters, digits and "-" is surely left as it is, but for
// its case: "-5" could be the number that makes a name an address.
func plainLabel(label []byte) bool {
	return len(label) > 0 && len(label) <= maxLabel && label[0] != '-'
}

// portEnd finds the end of the port that begins at ref[at]. ok tells that it is one, without zeros
// in front; own, that it is the scheme's.
func portEnd(ref []byte, at int, https bool) (end int, own, ok bool) {
	port, first := 0, at
	for ; at < len(ref) && isDigit(ref[at]) && port <= maxPort; at++ {
		port = 10*port + int(ref[at]-'0')
	}
	if at == first || ref[first] == '0' || port > maxPort {
		return 0, false, false
	}
	own = !https && port == 80 || https && port == 443
	return at, own, at == len(ref) || ref[at] != ':' && hostBytes[ref[at]] == ends
}

const maxPort = 1<<16 - 1

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
