package exchange

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"

	"multitext/stages/internal/web/httphead"
)

// Bounds of Cookies, in bytes.
const (
	maxCookie       = 4096 // name, value and attributes: what RFC 6265 asks browsers to take
	maxCookieHeader = 8192 // what is sent with one request
	maxCookies      = 16 << 20
	cookieCost      = 400 // what the jar needs for each, beside its bytes and those of its URL
)

// Cookies stores cookies and sends them back like a browser that was opened for this run. A cookie
// goes only to the hosts for which it was set, and no host can set one for a public suffix. Cookies
// is safe for concurrent use. It uses at most about 16 MB of memory; later cookies are dropped.
type Cookies struct {
	jar *cookiejar.Jar

	mu   sync.Mutex
	room int
}

// NewCookies returns an empty jar.
func NewCookies() *Cookies {
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // knows no error
	return &Cookies{jar: jar, room: maxCookies}
}

// header returns the Cookie field of a request, or "" without cookies.
func (c *Cookies) header(ref string) string {
	u, err := url.Parse(ref)
	if err != nil {
		return ""
	}
	var pairs []string
	size := 0
	for _, cookie := range c.jar.Cookies(u) {
		pair := cookie.String()
		if size += len(pair) + len("; "); size > maxCookieHeader {
			break
		}
		pairs = append(pairs, pair)
	}
	return strings.Join(pairs, "; ")
}

// take stores the cookies of an answer.
func (c *Cookies) take(ref string, h httphead.Fields) {
	u, err := url.Parse(ref)
	if err != nil {
		return
	}
	var kept []*http.Cookie
	set := http.Header{}
	for _, value := range h.Values("Set-Cookie") {
		set.Add("Set-Cookie", strings.Clone(value)) // the jar would keep the whole head else
	}
	for _, cookie := range (&http.Response{Header: set}).Cookies() {
		if len(cookie.Raw) <= maxCookie && c.reserve(len(cookie.Raw)+len(ref)+cookieCost) {
			kept = append(kept, cookie)
		}
	}
	c.jar.SetCookies(u, kept)
}

func (c *Cookies) reserve(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > c.room {
		return false
	}
	c.room -= n
	return true
}
