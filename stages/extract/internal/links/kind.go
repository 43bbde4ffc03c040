package links

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind says where on a page a link stood.
type Kind uint8

// The kinds of links; the package comment says what each one is.
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
	kinds // their number
)

// String gives the name by which flags call the kind.
func (k Kind) String() string {
	return [kinds]string{"a", "area", "base", "link", "frame", "iframe", "refresh", "header", "location",
		"resource", "script", "input", "img", "media", "embed", "other"}[k]
}

// A Set is a set of kinds.
type Set uint32

// All is every kind; Pages are the kinds that lead a reader to another page.
const (
	All   Set = 1<<kinds - 1
	Pages Set = 1<<Resource - 1
)

// Has tells whether k is in s.
func (s Set) Has(k Kind) bool { return s>>k&1 != 0 }

// ParseSet reads a list of kinds with commas between them. "all" and "pages" stand for many; "-" in
// front takes away: "all,-img,-script".
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
	return 0, fmt.Errorf("no kind of link is called %q; there are all, pages, %s", name, strings.Join(names(), ", "))
}

func names() []string {
	all := make([]string, kinds)
	for k := range kinds {
		all[k] = k.String()
	}
	return all
}
