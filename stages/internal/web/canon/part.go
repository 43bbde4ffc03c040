package canon

// A kind is what becomes of a byte in a part of a reference.
type kind byte

const (
	special kind = iota // for resolve to say
	escaped             // it is percent-encoded
	percent             // it begins an escape
	capital             // it is written in lower case
	dot                 // it may be of a dot segment, or ends a label
	ends                // it ends the part
	itself              // it stands for itself
)

// The kinds of bytes in the parts of a URL.
var (
	hostBytes = func() (kinds [256]kind) {
		for c := range kinds {
			switch {
			case isDigit(byte(c)), 'a' <= c && c <= 'z', c == '-':
				kinds[c] = itself
			case 'A' <= c && c <= 'Z':
				kinds[c] = capital
			}
		}
		kinds['.'], kinds[':'], kinds['/'], kinds['?'], kinds['#'] = dot, ends, ends, ends, ends
		return kinds
	}()
	pathBytes = func() [256]kind {
		kinds := kindsOf(" \"<>`{}")
		kinds['.'], kinds['\\'], kinds['^'], kinds['?'], kinds['#'] = dot, special, special, ends, ends
		return kinds
	}()
	queryBytes = func() [256]kind {
		kinds := kindsOf(" \"<>'")
		kinds['#'] = ends
		return kinds
	}()
)

// kindsOf returns the kinds that path and query have in common; the escapes are of ASCII. Bytes
// above it are escaped whether they are UTF-8 or not. Control characters are left to resolve: some
// are dropped.
func kindsOf(escapes string) (kinds [256]kind) {
	for c := range kinds {
		switch {
		case c >= 0x80:
			kinds[c] = escaped
		case c > 0x20 && c < 0x7f:
			kinds[c] = itself
		}
	}
	for _, c := range escapes {
		kinds[c] = escaped
	}
	kinds['%'] = percent
	return kinds
}

// appendPath appends the path that ref[at:] begins with to dst, which ends in a "/"; the whole path
// begins at root. end is where it ends in ref.
func appendPath(dst []byte, root int, ref []byte, at int) (url []byte, end int, ok bool) {
	for {
		if dst, at, ok = appendPart(dst, ref, at, &pathBytes); !ok || at == len(ref) || ref[at] != '.' {
			return dst, at, ok
		}
		dots := 0
		if dst[len(dst)-1] == '/' {
			dots = dotSegment(ref[at:])
		}
		switch dots {
		case 0:
			dst = append(dst, '.')
			at++
			continue
		case 2:
			dst = parent(dst, root)
		}
		if at += dots; at < len(ref) && ref[at] == '/' {
			at++
		}
	}
}

// dotSegment returns the length of the dot segment that path begins with, or 0 if it begins with
// another one.
func dotSegment(path []byte) int {
	n := 1
	if len(path) > 1 && path[1] == '.' {
		n = 2
	}
	if n == len(path) || path[n] == '/' || path[n] == '?' || path[n] == '#' {
		return n
	}
	return 0
}

// parent takes the last segment off url, which ends in "/" and whose path begins at root.
func parent(url []byte, root int) []byte {
	n := len(url) - 1
	for n > root && url[n-1] != '/' {
		n--
	}
	return url[:max(n, root+1)]
}

// appendQuery appends the query at ref[at:], if there is one, with its "?".
func appendQuery(dst, ref []byte, at int) (url []byte, ok bool) {
	dst, _, ok = appendPart(dst, ref, at, &queryBytes)
	return dst, ok
}

// appendPart appends what ref[at:] has in front of the byte that ends the part, or a dot that it
// does not know, and gives its place.
func appendPart(dst, ref []byte, at int, kinds *[256]kind) (url []byte, end int, ok bool) {
	for from := at; ; from = at {
		for at < len(ref) && kinds[ref[at]] == itself {
			at++
		}
		dst = append(dst, ref[from:at]...)
		if at == len(ref) {
			return dst, at, true
		}
		switch kinds[ref[at]] {
		case escaped:
			dst = AppendEscape(dst, ref[at])
			at++
		case percent:
			c, ok := Unescape(ref[at:])
			switch {
			case !ok || c == '.': // of a dot segment, perhaps
				return dst, at, false
			case Unreserved(c):
				dst = append(dst, c)
			default:
				dst = AppendEscape(dst, c)
			}
			at += len("%XX")
		case special:
			return dst, at, false
		default:
			return dst, at, true
		}
	}
}
