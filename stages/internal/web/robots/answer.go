package robots

import (
	"fmt"
	"net/http"
	"strings"

	"multitext/stages/internal/web/canon"
)

// MaxRedirects is how many redirects in a row a request for robots.txt follows; more
// make it unavailable, which allows (RFC 9309 section 2.3.1.2).
const MaxRedirects = 5

// A Meaning is what the status of the answer to a request for robots.txt says.
type Meaning int

const (
	// UseBody: the body is the robots.txt.
	UseBody Meaning = iota
	// AllowAll: there is no robots.txt; everything is allowed.
	AllowAll
	// Follow: the robots.txt is where the Location header says.
	Follow
	// NotNow: nothing may be fetched from the host until it answers otherwise. A
	// network error means the same.
	NotNow
)

// MeaningOf tells what an HTTP status means for robots.txt (RFC 9309 section 2.3.1).
// It departs from the letter of the RFC in one status: 429 "too many requests" is a
// 4xx, but a server that says so does not ask for more of them, so it means NotNow.
func MeaningOf(status int) Meaning {
	switch {
	case status >= 200 && status < 300:
		return UseBody
	case status == http.StatusTooManyRequests:
		return NotNow
	case status == http.StatusNotModified:
		return NotNow // nothing was asked conditionally: a broken server
	case status >= 300 && status < 400:
		return Follow
	case status >= 400 && status < 500:
		return AllowAll
	}
	return NotNow
}

// Token is the name by which robots.txt files call a crawler that sends userAgent:
// its leading product name, "examplebot" of "examplebot/1.0 (+https://example.org)".
// Beyond the letters, "_" and "-" of RFC 9309 it may hold digits and ".", because
// the names of real crawlers do.
func Token(userAgent string) (string, error) {
	token := leadingToken(userAgent)
	if token == "" {
		return "", fmt.Errorf("user agent %q begins with no product name: want one such as examplebot/1.0", userAgent)
	}
	return token, nil
}

func leadingToken(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return r >= 0x80 || r == '~' || !canon.Unreserved(byte(r))
	})
	if end < 0 {
		return s
	}
	return s[:end]
}
