// Package canon converts references in web pages to canonical URLs, and returns the parts of
// canonical URLs.
//
// Two spellings of one address must become the same string; otherwise a page is fetched twice. Two
// addresses that a server may answer differently must remain different. So a canonical URL is the
// URL that a browser would request (the parser follows the WHATWG URL standard) in one fixed
// spelling:
//
//   - the scheme is http or https, in lower case; other schemes are rejected with [ErrScheme];
//   - the host is in lower case and in its ASCII (IDNA) form, without a final dot; IP addresses are
//     in their shortest form; names that DNS does not allow are rejected with [ErrHost];
//   - the default port of the scheme is omitted; user name and password are removed, because a link
//     must not make the crawler log in;
//   - the path starts with "/" and has no dot segments; the query and its order are not changed;
//   - the fragment is removed, because it is never sent to the server;
//   - percent-encoding: letters, digits and "-._~" are not escaped, every other escape has
//     upper-case digits, and a "%" that does not start an escape is written %25;
//   - all bytes are in 0x21–0x7e, and there are at most [MaxLength] of them, in at most
//     [MaxSegments] segments of the path ([ErrLength]).
//
// Canonical form is a fixed point: Parse of a canonical URL returns the same URL.
//
// [Split], [Scheme], [Host], [Hostname], [Path] and [AppendSURT] return parts or other forms of a
// canonical URL, as string or bytes. They do not check the URL, and only AppendSURT allocates.
//
// # Speed
//
// Nearly all references are simple. They take a fast path with one pass (plain.go); the parser of
// the standard takes about fifty times as long. Both return the same result. Tests compare them on
// tables, links of real sites, combinations of their parts, all short hosts and paths made of some
// bytes, and the findings of a fuzz target.
package canon

import "errors"

// MaxLength is the most bytes that a reference or a canonical URL may have. RFC 9110 asks servers
// to accept 8,000; longer ones are errors of the page or traps.
const MaxLength = 8192

// MaxSegments is the most "/" that the path of a canonical URL may have. The parser's time grows
// with the square of them, and a page may have ten thousand links on a base of that kind.
const MaxSegments = 100

// What can be wrong with a reference. The errors that Parse and Resolve return wrap one of these.
var (
	ErrScheme = errors.New("not http or https")           // mailto:, data:, javascript:, ftp: …
	ErrHost   = errors.New("no host name that DNS holds") // empty or long labels, odd letters
	ErrLength = errors.New("longer than 8192 bytes or 100 segments")
	ErrSyntax = errors.New("not a URL")
)

// Parse returns the canonical form of an absolute URL.
func Parse(ref string) (string, error) {
	return (*Base)(nil).Resolve(ref)
}

// Append appends what Parse gives for ref to dst. Where there is an error, it gives dst as it was.
func Append(dst, ref []byte) ([]byte, error) {
	return (*Base)(nil).Append(dst, ref)
}

// Resolve returns the canonical form of ref as it is meant on the page base, an absolute URL.
func Resolve(base, ref string) (string, error) {
	b, err := NewBase(base)
	if err != nil {
		return "", err
	}
	return b.Resolve(ref)
}
