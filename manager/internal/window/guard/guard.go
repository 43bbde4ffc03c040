// Package guard protects a server that only this machine's user should reach from the pages of
// other sites that the same browser shows.
//
// Such a page can send requests to any address, and by DNS rebinding it can even read the answers:
// its own name suddenly has the address 127.0.0.1. So a request must name this server in its Host
// header, by an address that it listens on, by localhost, or by a name that the user has allowed.
// A request that another site has caused is refused unless a click led here: browsers say so in
// Origin and Sec-Fetch-Site. Only GET and HEAD without a body are answered, so no request changes
// anything.
//
// Each answer has headers that keep text of a crawl from becoming a script, and other sites from
// showing the page in a frame.
package guard

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// Policy is the Content-Security-Policy of the pages.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

// Hosts returns the values of Host that a server on an address accepts: the address itself,
// localhost if that is a loopback address, and other names, each with the port. If the address is
// that of all interfaces, names must have those that the browser uses.
func Hosts(listen net.Addr, names []string) []string {
	host, port, err := net.SplitHostPort(listen.String())
	if err != nil {
		return nil
	}
	var hosts []string
	if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() {
		names = append([]string{host}, names...)
	}
	if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		names = append(names, "localhost", "127.0.0.1", "::1")
	}
	for _, name := range names {
		hosts = append(hosts, net.JoinHostPort(name, port), name) // without port: behind a proxy
	}
	return hosts
}

// Wrap returns a handler that passes on only requests that were meant for one of the hosts.
func Wrap(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", Policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		head.Set("Cache-Control", "no-store")
		if status, why := refuse(hosts, r); status != 0 {
			http.Error(w, why, status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuse returns why a request is refused, or 0.
func refuse(hosts []string, r *http.Request) (status int, why string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return http.StatusMethodNotAllowed, "This server only answers GET and HEAD: it changes nothing."
	}
	if r.ContentLength != 0 {
		return http.StatusBadRequest, "This server takes no request with a body."
	}
	if !slices.Contains(hosts, strings.ToLower(r.Host)) {
		return http.StatusForbidden, fmt.Sprintf("The browser asked for the host %q, and this is none of this server's "+
			"names. If it should be, start window with -host NAME.", r.Host)
	}
	if origin := r.Header.Get("Origin"); origin != "" && !slices.Contains(hosts, after(origin, "://")) {
		return http.StatusForbidden, "A page of another site has sent this request."
	}
	site := r.Header.Get("Sec-Fetch-Site")
	clicked := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" &&
		r.Header.Get("Sec-Fetch-User") == "?1"
	if (site == "cross-site" || site == "same-site") && !clicked {
		return http.StatusForbidden, "A page of another site has sent this request."
	}
	return 0, ""
}

// after returns what stands behind sep, or "".
func after(text, sep string) string {
	_, rest, _ := strings.Cut(text, sep)
	return strings.ToLower(rest)
}
