package cdxj

import (
	"regexp"
	"slices"
	"strings"

	"multitext/stages/internal/run/percent"
)

// Key returns the form of a URL for lookups, its SURT (sort-friendly URI reordering transform):
// "org,example)/path?query". URLs have the same key if they differ only in parts that rarely
// matter: scheme, www., case, order of parameters, session IDs, or a slash at the end.
//
// The result is the same as that of the surt library (internetarchive/surt 0.3, which pywb uses),
// including its oddities: labels of IPv4 addresses are reversed, and "/.." at the root is kept.
// This is necessary because a replay tool computes the key of a URL with that library.
//
// The key of a text that is not an http or https URL is the text itself.
func Key(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	port := map[string]string{"http": ":80", "https": ":443"}[strings.ToLower(scheme)]
	if !ok || port == "" {
		return percent.Escape(url)
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	target, query, _ := strings.Cut(rest[end:], "?")
	key := hostKey(rest[:end], port) + ")" + pathKey(target)
	if query = queryKey(query); query != "" {
		key += "?" + query
	}
	return key
}

var www = regexp.MustCompile(`^www\d*\.`)

// hostKey returns the labels of a host in reverse, and its port unless that is the default one.
func hostKey(authority, defaultPort string) string {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host, port = host[:i], host[i:]
	}
	if port == defaultPort || port == ":" {
		port = ""
	}
	host = strings.Trim(strings.ReplaceAll(strings.ToLower(respell(host)), "..", "."), ".")
	host = www.ReplaceAllString(host, "")
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ",") + percent.Escape(port)
}

// A session ID in a path, as ASP.NET writes it.
var pathSessions = []*regexp.Regexp{
	regexp.MustCompile(`^(.*/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)/)([^?]+\.aspx.*)$`),
	regexp.MustCompile(`^(.*/)(?:\([0-9a-z]{24}\)/)([^?]+\.aspx.*)$`),
}

func pathKey(path string) string {
	path = strings.ToLower(escape(normalize(unescape(path))))
	if strings.Contains(path, ".aspx") {
		path = strip(path, pathSessions)
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// normalize drops empty and dot segments.
func normalize(path string) string {
	var kept []string
	segments := strings.Split(path, "/")
	for _, s := range segments[1:] {
		switch {
		case s == ".":
		case s == ".." && len(kept) > 0:
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return "/"
	}
	last := len(kept) - 1
	folders := slices.DeleteFunc(kept[:last:last], func(s string) bool { return s == "" })
	return "/" + strings.Join(append(folders, kept[last]), "/")
}

// A session ID in a query, by the names that are usual.
var querySessions = []*regexp.Regexp{
	regexp.MustCompile(`^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$`),
	regexp.MustCompile(`^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$`),
	regexp.MustCompile(`^(.*)sid=[0-9a-z]{32}(?:&(.*))?$`),
	regexp.MustCompile(`^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$`),
	regexp.MustCompile(`^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$`),
}

// queryKey returns the parameters of a query sorted by name and then by value.
func queryKey(query string) string {
	query = strings.ToLower(respell(query))
	if strings.Contains(query, "id") {
		query = strip(query, querySessions)
	}
	params := strings.Split(query, "&")
	slices.SortFunc(params, func(a, b string) int {
		// Sort by name, then by value; a name without value is first, because the separator is less
		// than all other bytes.
		return strings.Compare(strings.Replace(a, "=", "\x00", 1), strings.Replace(b, "=", "\x00", 1))
	})
	return strings.Join(params, "&")
}

// strip removes session IDs.
func strip(s string, sessions []*regexp.Regexp) string {
	for _, session := range sessions {
		s = session.ReplaceAllString(s, "$1$2")
	}
	return s
}

// respell returns the normal form of s: it undoes all escapes, and then escapes what must be
// escaped.
func respell(s string) string { return escape(unescape(s)) }

// unescape undoes percent-escapes repeatedly, until none is left.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		out = append(out, s[i])
		// The decoded byte may be the last digit of another escape.
		for n := len(out) - 3; n >= 0 && out[n] == '%' && unhex(out[n+1]) >= 0 && unhex(out[n+2]) >= 0; n -= 2 {
			out[n] = byte(unhex(out[n+1])<<4 | unhex(out[n+2]))
			out = out[:n+1]
		}
	}
	return string(out)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// escape escapes characters that a key cannot contain: blanks, control characters, bytes from 0x7f
// on, % and #.
func escape(s string) string {
	return strings.ReplaceAll(percent.Escape(s), "#", "%23")
}
