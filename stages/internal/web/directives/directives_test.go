package directives

import (
	"slices"
	"testing"

	"multitext/stages/internal/web/httphead"
)

// TestInHead: for whom a field is.
func TestInHead(t *testing.T) {
	for value, want := range map[string][]string{
		"NoIndex, nofollow": {"noindex", "nofollow"}, "mybot: noai": {"noai"}, "MyBot : noai,x": {"noai", "x"},
		"robots: none": {"none"}, "other: noai": nil, "max-snippet: 5, noai": {"max-snippet: 5", "noai"},
		"noai, unavailable_after: 1 Jan": {"noai", "unavailable_after: 1 jan"}, ": noai": nil,
	} {
		var got []string
		InHead(httphead.Fields{{Name: "x-robots-tag", Value: value}}, []string{"mybot"},
			func(d string) { got = append(got, d) })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// TestInMeta: the same for META.
func TestInMeta(t *testing.T) {
	for name, want := range map[string]bool{"robots": true, " ROBOTS": true, "MyBot": true, "other": false, "": false} {
		n := 0
		InMeta([]byte(name), []byte("a, B"), []string{"mybot"}, func(d string) {
			if n++; d != "a" && d != "b" {
				t.Errorf("%q", d)
			}
		})
		if (n == 2) != want {
			t.Errorf("%q: %d directives", name, n)
		}
	}
}
