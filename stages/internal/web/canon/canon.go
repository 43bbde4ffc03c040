// Package canon turns the references of web pages into canonical URLs, and takes canonical URLs
// apart.
//
// Two spellings of one address must give one string, or the seen-set lets a page be fetched twice;
// two addresses that a server may answer differently must stay two. A canonical URL is therefore
// what a browser would ask for (the parser follows the WHATWG URL standard) in one fixed spelling:
//
//   - the scheme is http or https, in lower case; all other schemes are refused with [ErrScheme];
//   - the host is in lower case and in its ASCII (IDNA) form, IP addresses in their shortest one,
//     without a final dot; names that DNS cannot hold are refused with [ErrHost];
//   - the port is absent when it is the scheme's own; user name and password are dropped, since a
//     stranger's link must not make the crawler log in;
//   - the path starts with "/" and has no dot segments; the query is kept as it is, its order
//     included;
//   - the fragment is dropped: it never reaches the server;
//   - percent-encoding: letters, digits and "-._~" stand for themselves, every other escape has
//     upper-case digits, and a "%" that starts no escape is written %25;
//   - all bytes lie in 0x21–0x7e, and there are at most [MaxLength] of them, in at most
//     [MaxSegments] segments of the path ([ErrLength]).
//
// Canonical form is a fixed point: Parse of a result gives the same result.
//
// [Split], [Scheme], [Host], [Hostname], [Path] and [AppendSURT] take a canonical URL apart, as
// string or bytes. They check nothing, and only AppendSURT allocates.
//
// # Speed
//
// Nearly all references are plain. For these there is a short way of one pass (plain.go); the
// parser of the standard takes some fifty times as long. Both give the same result: tests compare
// them for rows, links of real sites, pieces of these put together, all short hosts and paths of
// some bytes, and whatever a fuzz target finds.
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

// Parse gives the canonical form of an absolute URL.
func Parse(ref string) (string, error) {
	return (*Base)(nil).Resolve(ref)
}

// Append appends what Parse gives for ref to dst. Where there is an error, it gives dst as it was.
func Append(dst, ref []byte) ([]byte, error) {
	return (*Base)(nil).Append(dst, ref)
}

// Resolve gives the canonical form of ref as it is meant on the page base, an absolute URL.
func Resolve(base, ref string) (string, error) {
	b, err := NewBase(base)
	if err != nil {
		return "", err
	}
	return b.Resolve(ref)
}
