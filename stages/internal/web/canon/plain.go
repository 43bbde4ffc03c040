package canon

import (
	"bytes"
	"strings"
)

// This file and the next are the short way from a reference to its canonical form. Nearly every
// link takes it: an absolute URL, //host/path, /path, a path with or without dot segments, ?query
// or #fragment, whose host is plain. It gives up (ok is false) at whatever the standard treats in a
// way of its own, and wherever an error or a bound may be near; resolve knows those. The tests hold
// it to what resolve gives.

// plain appends the canonical form of ref on the page b, or nil if there is none, to dst.
func (b *Base) plain(dst, ref []byte) (url []byte, ok bool) {
	ref = trim(ref)
	if mayCost(ref) {
		return nil, false
	}
	start := len(dst)
	dst, root, at, ok := b.appendStem(dst, ref)
	if ok {
		dst, at, ok = appendPath(dst, root, ref, at)
	}
	if ok {
		dst, ok = appendQuery(dst, ref, at)
	}
	return dst, ok && !mayBeLong(dst[start:])
}

// appendStem appends what ref[:at] means, up to the "/" behind which ref[at:] goes on with the
// path; or all that ref takes from b, where ref[at:] has no path. root is where the path begins in
// dst.
func (b *Base) appendStem(dst, ref []byte) (stem []byte, root, at int, ok bool) {
	scheme := schemeOf(ref)
	switch {
	case scheme != "":
		dst, at, ok = appendAuthority(append(dst, scheme...), ref, len(scheme), scheme == "https://")
	case b == nil:
		return nil, 0, 0, false
	case len(ref) == 0 || ref[0] == '#':
		return append(dst, b.url...), 0, 0, true
	case ref[0] == '?':
		return append(dst, b.url[:b.query]...), 0, 0, true
	case bytes.HasPrefix(ref, []byte("//")):
		dst, at, ok = appendAuthority(append(dst, b.url[:b.host]...), ref, len("//"), b.host == len("https://"))
	case ref[0] == '/':
		dst, ok = append(dst, b.url[:b.path]...), true
	default:
		root = len(dst) + b.path
		return append(dst, b.url[:b.name]...), root, 0, !mayHaveScheme(ref)
	}
	root = len(dst)
	if at < len(ref) && ref[at] == '/' {
		at++
	}
	return append(dst, '/'), root, at, ok
}

// schemeOf returns what ref begins with, "http://" or "https://" in letters of either case; "" if
// neither.
func schemeOf(ref []byte) string {
	if len(ref) < len("http://") || ref[0]|0x20 != 'h' {
		return "" // as nearly all relative ones
	}
	for _, scheme := range [...]string{"https://", "http://"} {
		n := len(scheme)
		if len(ref) >= n && (string(ref[:n]) == scheme || strings.EqualFold(string(ref[:n]), scheme)) {
			return scheme
		}
	}
	return ""
}

// mayHaveScheme reports whether the first segment of ref has a colon.
func mayHaveScheme(ref []byte) bool {
	for _, c := range ref {
		switch c {
		case ':':
			return true
		case '/', '?', '#':
			return false
		}
	}
	return false
}

// trim drops blanks and control characters at both ends.
func trim(ref []byte) []byte {
	for len(ref) > 0 && ref[0] <= ' ' {
		ref = ref[1:]
	}
	for len(ref) > 0 && ref[len(ref)-1] <= ' ' {
		ref = ref[:len(ref)-1]
	}
	return ref
}

// mayCost reports whether ref may be longer or dearer than resolve takes it. Few are as long as to
// be asked.
func mayCost(ref []byte) bool {
	return len(ref) > min(2*MaxSegments, maxUser) &&
		(len(ref) > MaxLength || bytes.Count(ref, []byte("/")) > 2*MaxSegments || bytes.IndexByte(ref, '@') >= 0)
}

// mayBeLong reports whether url may be beyond the bounds of canonical form.
func mayBeLong(url []byte) bool {
	return len(url) > MaxSegments && (len(url) > MaxLength || bytes.Count(url, []byte("/")) > MaxSegments)
}
