package canon

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// standard is the parser of the standard, with two things that the standard has and the parser has
// not yet: a host in ASCII is its lower case, whatever its Punycode means, and "ẞ" is the capital
// of "ß".
var standard = whatwg.NewParser(whatwg.WithPreParseHostFunc(beforeIDNA), whatwg.WithPostParseHostFunc(afterIDNA))

// Labels of Punycode in a host in ASCII are hidden from the parser, which would look into them.
const (
	punycode = "xn--"
	hidden   = "xn!-" // "!" is in no canonical host, but the parser lets it pass
)

func beforeIDNA(_ *whatwg.Url, host string) string {
	plain := unescaped(host)
	if strings.ContainsFunc(plain, func(r rune) bool { return r >= 0x80 }) {
		return strings.NewReplacer("ẞ", "ß").Replace(plain)
	}
	if strings.Contains(plain, "%") {
		return host // a wrong one; once is enough
	}
	plain = strings.ReplaceAll(strings.ToLower(plain), hidden, "!") // and stays a wrong one
	return strings.ReplaceAll(plain, punycode, hidden)
}

func afterIDNA(_ *whatwg.Url, host string) string { return strings.ReplaceAll(host, hidden, punycode) }

// unescaped returns host without its escapes.
func unescaped(host string) string {
	if !strings.Contains(host, "%") {
		return host
	}
	plain := make([]byte, 0, len(host))
	for i := 0; i < len(host); i++ {
		if c, ok := Unescape(host[i:]); ok {
			plain = append(plain, c)
			i += len("%XX") - 1
		} else {
			plain = append(plain, host[i])
		}
	}
	return string(plain)
}
