package canon

import "bytes"

// IsCanonical tells in one pass whether url is surely a canonical URL. It may say no of a few that are:
// those whose host has "_" in it or is an IPv6 address, which [Base.Append] knows to keep.
func IsCanonical(url []byte) bool {
	scheme := schemeOf(url)
	if scheme == "" || !bytes.HasPrefix(url, []byte(scheme)) || mayBeLong(url) {
		return false
	}
	keep, at, upper, ok := authorityEnd(url, len(scheme), scheme == "https://")
	if !ok || upper || keep < at || at == len(url) || url[at] != '/' {
		return false
	}
	if at, ok = partIsCanonical(url, at, &pathBytes); ok && at < len(url) {
		at, ok = partIsCanonical(url, at, &queryBytes)
	}
	return ok && at == len(url)
}

// partIsCanonical tells whether the part at url[at:] is canonical as it stands, and where it ends.
func partIsCanonical(url []byte, at int, kinds *[256]kind) (end int, ok bool) {
	for {
		if at = plainEnd(url, at, kinds); at == len(url) {
			return at, true
		}
		switch kinds[url[at]] {
		case dot:
			if url[at-1] == '/' && dotSegment(url[at:]) > 0 {
				return at, false
			}
			at++
		case percent:
			if !isCanonicalEscape(url[at:]) {
				return at, false
			}
			at += len("%XX")
		case ends:
			return at, true
		default:
			return at, false
		}
	}
}

// isCanonicalEscape tells whether s begins with an escape, in upper case, of a byte that needs one.
func isCanonicalEscape(s []byte) bool {
	c, ok := unescape(s)
	return ok && !unreserved(c) && bytes.Equal(s[:len("%XX")], appendEscape(nil, c))
}
