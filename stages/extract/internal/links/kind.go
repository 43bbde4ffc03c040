package links

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind says where on a page a link was found.
type Kind uint8

// The kinds of links. The package comment describes each kind.
const (
	A Kind = iota
	Area
	Base
	Rel // written "link"
	Frame
	Iframe
	Refresh
	Header
	Location
	Resource
	Script
	Input
	Img
	Media
	Embed
	Other
	kinds // number of kinds
)

// String returns the name of the kind in flags.
func (k Kind) String() string {
	return [kinds]string{"a", "area", "base", "link", "frame", "iframe", "refresh", "header", "location",
		"resource", "script", "input", "img", "media", "embed", "other"}[k]
}

// A Set is a set of kinds.
type Set uint32

// All contains every kind. Pages contains the kinds that lead a reader to another page.
const (
	All   Set = 1<<kinds - 1
	Pages Set = 1<<Resource - 1
)

// Has reports whether k is in s.
func (s Set) Has(k Kind) bool { return s>>k&1 != 0 }

// ParseSet parses a list of kinds, separated by commas. "all" and "pages" stand for several kinds.
// A leading "-" removes a kind: "all,-img,-script".
func ParseSet(list string) (Set, error) {
	var s Set
	for name := range strings.SplitSeq(list, ",") {
		bare, minus := strings.CutPrefix(strings.TrimSpace(name), "-")
		one, err := parseName(bare)
		if err != nil {
			return 0, err
		}
		if minus {
			s &^= one
		} else {
			s |= one
		}
	}
	if s == 0 {
		return 0, fmt.Errorf("%q leaves no kind of link", list)
	}
	return s, nil
}

func parseName(name string) (Set, error) {
	switch name {
	case "all":
		return All, nil
	case "pages":
		return Pages, nil
	}
	if i := slices.Index(names(), name); i >= 0 {
		return 1 << i, nil
	}
	return 0, fmt.Errorf("unknown kind of link %q; known are all, pages, %s", name, strings.Join(names(), ", "))
}

func names() []string {
	all := make([]string, kinds)
	for k := range kinds {
		all[k] = k.String()
	}
	return all
}
