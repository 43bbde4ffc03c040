package partition

import (
	"bytes"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/canon"
)

// byPlace assigns each URL to the owner of the longest place that contains it. other decides about
// URLs that no place contains.
func byPlace(p places, other Partition) Partition {
	return func(rec *urlbatch.Record) *nodes.Node {
		if n := p.owner(rec.URL()); n != nil {
			return n
		}
		return other(rec)
	}
}

// places has the places that nodes own, by canonical form: "jp", "example.org:8080",
// "example.org/a".
type places struct {
	owners  map[string]*nodes.Node
	longest int  // length of the longest place in bytes
	folders bool // whether a place has a folder
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

// country returns the places without a folder, because a country does not end within a server.
func country(set *nodes.Set) places {
	p := hierarchy(set)
	p.folders = false // places with a folder are not searched
	return p
}

// owner returns the owner of the longest place that contains the URL, or nil. It searches for the
// URL's folders on its host, the deepest first, then for the host with port, the host without port,
// and the names above it.
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
// host. It skips folders that are longer than the longest place, because a path may have a hundred
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

// ofCountry returns the domain of a URL's country, or its host if the host has none. Domains of
// countries have two letters (RFC 1591, section 2).
func ofCountry(url []byte) []byte {
	name := canon.Hostname(url)
	top := name[bytes.LastIndexByte(name, '.')+1:]
	if len(top) != 2 || !isLetter(top[0]) || !isLetter(top[1]) {
		return canon.Host(url)
	}
	return top
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }
