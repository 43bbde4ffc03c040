// Package partition divides the URLs of the Web among the nodes of a collaboration: it tells which
// node fetches a URL, before it is fetched (thesis, section 3.1.1, "URL-oriented partitioning").
//
// All partitions go by the canonical form of a URL (package canon), so that two spellings have one
// owner. They look at nothing but the URL and nodes.toml, so every node comes to the same answer
// without a word to the others. Help tells what each goes by. In the thesis they are called
// URL-based hashing, host-based hashing, country domain and URL hierarchy. In Cho and Garcia-Molina
// ("Parallel crawlers", 2002) the first two are URL-hash and site-hash, which leaves far fewer
// links between crawlers than URL-hash. The crawler of IBM Almaden that the thesis names moves the
// borders of its hierarchy while it crawls, which here takes another nodes.toml. By owner, a page
// stays and its links go to the owner of the page (X4, section 7).
//
// All nodes hash with the secret of nodes.toml. Where it has none, a stranger can make links that
// all belong to one node. That node then has more to do, within its bounds for each host, and the
// others less.
//
// Content-oriented partitions go by the content of a page, which classify pages judges. Combination
// hashing is both: content for pages, url for links.
package partition

import (
	"fmt"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/suggest"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/registered"
)

// A Partition returns the node that owns the URL of a record, which is canonical; nil where the
// record names a node that does not exist.
type Partition func(rec *urlbatch.Record) *nodes.Node

// Names returns the names of the partitions, as New takes them.
func Names() []string { return []string{"url", "host", "country", "hierarchy", "owner", "none"} }

// Help tells what each of them goes by, for -h.
const Help = `  url        a hash of the URL: even loads, and 1/N of the links stay
  host       a hash of the host's name and port: a host is asked by one crawler only, and links
             within a site stay
  country    the end of the host's name, by the hosts in nodes.toml, else a hash of its domain
             of two letters; a host without one, under com say, or an address goes by host, since
             most of the Web would be one node's otherwise; a country's name in another script
             ("xn--p1ai") is known for one only where hosts has it
  hierarchy  the host's name from its end, then the folders of the path: the longest of the
             hosts in nodes.toml that fits, else a hash of the registered domain
  owner      the link's own attribute owner, set by classify pages -links-only and handed on by
             extract; a link without it, or with the name of no node, is ours
  none       everything is ours: for partitions that go by content alone`

// New returns the partition of that name, as me sees it.
func New(name string, set *nodes.Set, me *nodes.Node) (Partition, error) {
	switch name {
	case "url":
		return byHash(set, func(url []byte) []byte { return url }), nil
	case "host":
		return byHash(set, canon.Host[[]byte]), nil
	case "country":
		return byPlace(country(set), byHash(set, ofCountry)), nil
	case "hierarchy":
		return byPlace(hierarchy(set), byHash(set, registered.Domain[[]byte])), nil
	case "owner":
		return byOwner(set, me), nil
	case "none":
		return func(*urlbatch.Record) *nodes.Node { return me }, nil
	}
	return nil, fmt.Errorf("there is no partition %.40q%s", name, suggest.Hint(name, Names()))
}

// byHash gives each URL to the node that the hash of a part of it chooses.
func byHash(set *nodes.Set, of func(url []byte) []byte) Partition {
	return func(rec *urlbatch.Record) *nodes.Node { return set.ByHash(set.Sum(of(rec.URLBytes()))) }
}

// byOwner gives a link to the node that its attribute names; one without it is ours.
func byOwner(set *nodes.Set, me *nodes.Node) Partition {
	byName := map[string]*nodes.Node{}
	for _, n := range set.All() {
		byName[n.Name] = n
	}
	return func(rec *urlbatch.Record) *nodes.Node {
		if name, ok := rec.Get(urlbatch.Owner); ok {
			return byName[name]
		}
		return me
	}
}
