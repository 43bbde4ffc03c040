package main

import (
	"bytes"
	"html"
	"strings"
)

// links are what an answer leads to: the URLs of a, area and iframe, or of a redirect.
func links(base target, a *answer) (found []target) {
	latin1 := a.latin1
	add := func(ref string) {
		if u, ok := resolve(base, ref, latin1); ok {
			found = append(found, u)
		}
	}
	if a.location != "" {
		add(a.location)
	}
	if !a.html || a.status != 200 {
		return found
	}
	for rest := a.body; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 || i+1 == len(rest) {
			return found
		}
		rest = rest[i+1:]
		if bytes.HasPrefix(rest, []byte("!--")) {
			rest = behind(rest, "-->")
			continue
		}
		name := word(rest)
		if len(name) == 0 {
			continue
		}
		attributes := rest[len(name):]
		switch tag := strings.ToLower(string(name)); tag {
		case "a", "area", "iframe", "base", "meta":
			value, more := attribute(attributes)
			rest = more
			switch {
			case len(value) == 0:
			case tag == "base":
				if u, ok := resolve(base, text(value, latin1), latin1); ok {
					base = u
				}
			case tag == "meta":
				latin1 = latin1 || bytes.HasSuffix(value, []byte("iso-8859-1"))
			default:
				add(text(value, latin1))
			}
		case "script", "style", "textarea":
			rest = behind(attributes, "</"+tag)
		default:
			_, rest = attribute(attributes)
		}
	}
}

// behind is what follows end in b, or nothing.
func behind(b []byte, end string) []byte {
	_, rest, _ := bytes.Cut(b, []byte(end))
	return rest
}

// word is the letters that b begins with.
func word(b []byte) []byte {
	n := 0
	for n < len(b) && (b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z' || b[n] == '-') {
		n++
	}
	return b[:n]
}

// attribute is the value of href, src or content in a tag, of which b is what stands behind the
// name, and what follows the tag.
func attribute(b []byte) (value, rest []byte) {
	for {
		b = bytes.TrimLeft(b, " \t\r\n/")
		name := word(b)
		if len(name) == 0 {
			return value, behind(b, ">")
		}
		b = bytes.TrimLeft(b[len(name):], " \t\r\n")
		if len(b) == 0 || b[0] != '=' {
			continue
		}
		b = bytes.TrimLeft(b[1:], " \t\r\n")
		var v []byte
		if len(b) > 0 && (b[0] == '"' || b[0] == '\'') {
			v, b, _ = bytes.Cut(b[1:], b[:1])
		} else {
			n := bytes.IndexAny(b, " \t\r\n>")
			if n < 0 {
				return nil, nil
			}
			v, b = b[:n], b[n:]
		}
		switch strings.ToLower(string(name)) {
		case "href", "src", "content":
			value = bytes.TrimSpace(v)
		}
	}
}

// text is the value of an attribute in UTF-8, its entities resolved.
func text(value []byte, latin1 bool) string {
	s := string(value)
	if latin1 {
		runes := make([]rune, len(value))
		for i, c := range value {
			runes[i] = rune(c)
		}
		s = string(runes)
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	return s
}
