package main

import "strings"

// resolve is ref, seen from base, in canonical form: enough of RFC 3986 for testweb, which spells
// one URL in many ways. A false says that it leads to nothing that can be fetched.
func resolve(base target, ref string, latin1 bool) (target, bool) {
	ref, _, _ = strings.Cut(ref, "#")
	scheme, rest, ok := strings.Cut(ref, ":")
	if ok && !strings.ContainsAny(scheme, "/?") {
		if !strings.EqualFold(scheme, "http") {
			return target{}, false
		}
		ref = rest
	}
	u := target{host: base.host, path: ref}
	switch {
	case strings.HasPrefix(ref, "//"):
		end := strings.IndexAny(ref[2:], "/?")
		if end < 0 {
			u.path, end = "/", len(ref)-2
		} else {
			u.path = ref[2+end:]
		}
		u.host = strings.TrimSuffix(strings.ToLower(ref[2:2+end]), ":80")
	case ref == "":
		return base, true
	case ref[0] == '?':
		folder, _, _ := strings.Cut(base.path, "?")
		u.path = folder + ref
	case ref[0] != '/':
		folder, _, _ := strings.Cut(base.path, "?")
		u.path = folder[:strings.LastIndexByte(folder, '/')+1] + ref
	}
	path, query, hasQuery := strings.Cut(u.path, "?")
	u.path = escape(withoutDots(path), false)
	if hasQuery {
		u.path += "?" + escape(query, latin1)
	}
	return u, true
}

// withoutDots removes dot segments from an absolute path.
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	var kept []string
	segments := strings.Split(path[1:], "/")
	for i, s := range segments {
		switch {
		case s == ".." && len(kept) > 0:
			kept = kept[:len(kept)-1]
		case s != "." && s != "..":
			kept = append(kept, s)
			continue
		}
		if i == len(segments)-1 {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}

// escape gives s its percent-encodings in the normal form: those that need not be go, others have
// capitals, and letters outside ASCII become one: their bytes in UTF-8, or in Latin 1.
func escape(s string, latin1 bool) string {
	if plain(s) {
		return s
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	add := func(c byte) {
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == 0xc3 && latin1 && i+1 < len(s): // U+00C0 to U+00FF, all that testweb has
			add(s[i+1] + 0x40)
			i++
		case c == '%' && i+2 < len(s):
			add(nibble(s[i+1])<<4 | nibble(s[i+2]))
			i += 2
		case c < 0x80:
			b.WriteByte(c)
		default:
			add(c)
		}
	}
	return b.String()
}

// plain tells whether escape has nothing to do.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] == '%' || s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func nibble(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	if c >= 'A' {
		return c - 'A' + 10
	}
	return c - '0'
}
