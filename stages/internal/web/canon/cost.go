package canon

import "strings"

// maxUser bounds user name and password in a reference, which are dropped in the end.
const maxUser = 255

// costly reports whether the parser would take a time for ref that grows with the square of its
// length: for its segments, or for what stands in front of its host. ref has no line ends. A
// reference that is within the bounds of canonical form once it is parsed has fewer than twice
// their segments, or is made to cost.
func costly(ref string) bool {
	place, _, _ := strings.Cut(ref, "#")
	place, _, _ = strings.Cut(place, "?")
	if strings.Count(place, "/")+strings.Count(place, "\\") > 2*MaxSegments {
		return true
	}
	return strings.LastIndexByte(authority(place), '@') > maxUser
}

// authority returns what may stand for host, user name and password in ref: behind a scheme, or
// behind two slashes. It is "" if there is none.
func authority(ref string) string {
	rest := ref
	if scheme, after, ok := strings.Cut(ref, ":"); ok && len(scheme) <= len("https") {
		rest = after
	}
	bare := strings.TrimLeft(rest, `/\`)
	if len(rest) == len(ref) && len(rest)-len(bare) < 2 {
		return ""
	}
	if end := strings.IndexAny(bare, `/\`); end >= 0 {
		return bare[:end]
	}
	return bare
}

// withoutLineEnds drops tabs and line ends, as the standard does before it parses.
func withoutLineEnds(ref string) string {
	if !strings.ContainsAny(ref, "\t\r\n") {
		return ref
	}
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(ref)
}
