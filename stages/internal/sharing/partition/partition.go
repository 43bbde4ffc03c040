// Package partition divides the URLs of the Web among the nodes of a collaboration: it tells which
// node fetches a URL, before it is fetched (thesis, section 3.1.1, "URL-oriented partitioning").
//
// All partitions go by the canonical form of a URL (package canon), so that two spellings have one owner,
// and none looks at anything but the URL and nodes.toml: every node comes to the same answer without a
// word to the others. What they are good for:
//
//	url        a hash of the whole URL. The load is even; of a page's links 1/N stay. (URL-based hashing in
//	           the thesis; URL-hash in Cho and Garcia-Molina, "Parallel crawlers", 2002.)
//	host       a hash of the host's name and port. A host is asked by one node only, and links within
//	           a site stay. (Host-based hashing; site-hash there: it cuts the links between crawlers well below
//	           those of URL-hash.)
//	country    the end of the host's name: the longest that a node owns by its hosts in nodes.toml, else
//	           a hash of its country's domain, which is one of two letters. A name that tells no country, under
//	           "com" say, or an address, goes by host: most of the Web would be one node's otherwise, of
//	           which the thesis says nothing. A country's name in another script ("xn--p1ai") is known
//	           for one only where hosts has it. (Country domain.)
//	hierarchy  the host's name from its end, then the folders of the path, as in SURT order: the longest
//	           place that a node owns, else a hash of the registered domain. (URL hierarchy; the
//	           crawler of IBM Almaden that the thesis names moves the borders while it crawls, which here takes
//	           another nodes.toml.)
//	owner      the attribute owner=NODE of the link, which extract hands on from a page: the links of a
//	           boundary page go to who owns the page, and the page stays (X4, section 7). A link without
//	           it is ours.
//	none       everything is our own: for partitions that go by content alone.
//
// All nodes hash with the secret of nodes.toml. Where it has none, a stranger can make links that
// are all one node's, which then has more to do, within its bounds for each host, and the others
// less.
//
// The content of a page, which content-oriented partitions go by, is judged by classify pages.
// Combination hashing is both: content for pages, url for links.
package partition

import (
	"fmt"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/suggest"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/registered"
)

// A Partition tells who owns a link.
type Partition interface {
	// Owner returns the node that owns the record's URL, which is canonical; nil where the record names
	// a node that there is not.
	Owner(rec *urlbatch.Record) *nodes.Node
}

// Names returns the names of the partitions, as New takes them.
func Names() []string { return []string{"url", "host", "country", "hierarchy", "owner", "none"} }

// New returns the partition of that name, as me sees it.
func New(name string, set *nodes.Set, me *nodes.Node) (Partition, error) {
	switch name {
	case "url":
		return byHash{set, func(url []byte) []byte { return url }}, nil
	case "host":
		return byHash{set, canon.Host[[]byte]}, nil
	case "country":
		return byPlace{country(set), byHash{set, ofCountry}}, nil
	case "hierarchy":
		return byPlace{hierarchy(set), byHash{set, registered.Domain[[]byte]}}, nil
	case "owner":
		return newByOwner(set, me), nil
	case "none":
		return byNone{me}, nil
	}
	return nil, fmt.Errorf("there is no partition %.40q%s", name, suggest.Hint(name, Names()))
}

// byHash gives each URL to the node that a hash of a part of it chooses.
type byHash struct {
	set *nodes.Set
	of  func(url []byte) []byte
}

func (p byHash) Owner(rec *urlbatch.Record) *nodes.Node {
	return p.set.ByHash(p.set.Sum(p.of(rec.URLBytes())))
}

// byOwner gives a link to the node that its attribute names; one without is ours.
type byOwner struct {
	byName map[string]*nodes.Node
	me     *nodes.Node
}

func newByOwner(set *nodes.Set, me *nodes.Node) byOwner {
	p := byOwner{map[string]*nodes.Node{}, me}
	for _, n := range set.All() {
		p.byName[n.Name] = n
	}
	return p
}

func (p byOwner) Owner(rec *urlbatch.Record) *nodes.Node {
	name, ok := rec.Get(urlbatch.Owner)
	if !ok {
		return p.me
	}
	return p.byName[name]
}

type byNone struct{ me *nodes.Node }

func (p byNone) Owner(*urlbatch.Record) *nodes.Node { return p.me }
