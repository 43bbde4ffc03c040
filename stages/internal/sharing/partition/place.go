package partition

import (
	"bytes"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/canon"
)

// byPlace gives each URL to the owner of the longest place in which it lies. other decides about a
// URL that lies in none.
func byPlace(p places, other Partition) Partition {
	return func(rec *urlbatch.Record) *nodes.Node {
		if n := p.owner(rec.URL()); n != nil {
			return n
		}
		return other(rec)
	}
}

// places are the places that nodes own, by their canonical form: "jp", "example.org:8080",
// "example.org/a".
type places struct {
	owners  map[string]*nodes.Node
	longest int  // bytes of the longest of them
	folders bool // whether one of them has a folder
}

// hierarchy returns all places of the nodes.
func hierarchy(set *nodes.Set) places {
	p := places{owners: map[string]*nodes.Node{}}
	for _, n := range set.All() {
		for _, place := range n.Hosts {
			p.owners[place] = n
			p.longest = max(p.longest, len(place))
			p.folders = p.folders || strings.Contains(place, "/")
		}
	}
	return p
}

// country returns the places that are names alone: nobody's country ends within a server.
func country(set *nodes.Set) places {
	p := hierarchy(set)
	p.folders = false // so those with a folder are not looked for
	return p
}

// owner returns the owner of the longest place in which the URL lies, nil when there is none. It
// looks for its folders on its host, from the last, then for the host, with its port and without,
// then for the names above it.
func (p places) owner(url string) *nodes.Node {
	if len(p.owners) == 0 {
		return nil
	}
	host := canon.Host(url)
	if p.folders {
		if n := p.folder(host + canon.Path(url)); n != nil {
			return n
		}
	}
	if n := p.owners[host]; n != nil {
		return n
	}
	for name := canon.Hostname(url); name != ""; {
		if n := p.owners[name]; n != nil {
			return n
		}
		_, name, _ = strings.Cut(name, ".")
	}
	return nil
}

// folder returns the owner of the longest place that is a folder of path, which begins with the
// host. It looks at nothing longer than the longest place, because a path may have a hundred
// folders.
func (p places) folder(path string) *nodes.Node {
	path, _, _ = strings.Cut(path, "?")
	if len(path) > p.longest {
		cut := p.longest
		if path[cut] != '/' {
			cut = strings.LastIndexByte(path[:cut], '/')
		}
		path = path[:max(cut, 0)]
	}
	for path != "" {
		if n := p.owners[path]; n != nil {
			return n
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return nil
}

// ofCountry returns the domain of a URL's country, or its host where that tells none. The domains
// of countries are those of two letters (RFC 1591, section 2).
func ofCountry(url []byte) []byte {
	name := canon.Hostname(url)
	top := name[bytes.LastIndexByte(name, '.')+1:]
	if len(top) != 2 || !isLetter(top[0]) || !isLetter(top[1]) {
		return canon.Host(url)
	}
	return top
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }
