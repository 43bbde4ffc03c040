// Package registered finds the registered domain of a URL with the Public Suffix List. It is
// separate from package canon because the list's package imports net/http: a stage that needs no
// domains starts faster without it.
package registered

import (
	"golang.org/x/net/publicsuffix"

	"multitext/stages/internal/web/canon"
)

// Domain returns the registered domain of a canonical URL, one label more than the public suffix:
// "example.co.uk" for "https://www.example.co.uk/". An address, and a name that has no registered
// domain, stand for themselves.
func Domain[T string | []byte](url T) T {
	name := canon.Hostname(url)
	if canon.IsAddress(name) {
		return name
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(string(name))
	if err != nil {
		return name
	}
	return name[len(name)-len(domain):]
}
