// Package partition divides the URLs of the Web among the nodes of a collaboration. It determines,
// before a URL is fetched, which node fetches it (thesis, section 3.1.1, "URL-oriented
// partitioning").
//
// All partitions use the canonical form of a URL (package canon), so that two spellings have the
// same owner. They depend only on the URL and nodes.toml, so all nodes compute the same owner
// without communication. Help describes each partition. The thesis calls them URL-based hashing,
// host-based hashing, country domain and URL hierarchy. In Cho and Garcia-Molina ("Parallel
// crawlers", 2002) the first two are URL-hash and site-hash, which leaves far fewer links between
// crawlers than URL-hash. The partition domain is site-hash, too, of larger sites. The crawler of
// IBM Almaden, which the thesis mentions, moves the borders of its hierarchy during the crawl; here
// this requires a new nodes.toml. With the partition owner, a page stays and its links go to the
// owner of the page (X4, section 7).
//
// All nodes hash with the secret in nodes.toml. If there is none, anybody can make links that all
// belong to one node. That node then has more work, within its limits for each host, and the others
// have less.
//
// Content-oriented partitions depend on the content of a page, which classify pages judges.
// Combination hashing uses both: content for pages, url for links.
package partition

import (
	"fmt"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/suggest"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/registered"
)

// A Partition returns the node that owns the canonical URL of a record, or nil if the record names
// a node that does not exist.
type Partition func(rec *urlbatch.Record) *nodes.Node

// Names returns the names of the partitions, for New.
func Names() []string {
	return []string{"url", "host", "domain", "country", "hierarchy", "owner", "none"}
}

// Help describes the partitions, for -h.
const Help = `  url        a hash of the URL: even loads, and 1/N of the links stay
  host       a hash of the host's name and port: only one crawler fetches from a host, and links
             within a host stay
  domain     a hash of the registered domain, as example.co.uk: links within a site of several
             hosts stay
  country    the end of the host's name, by the hosts in nodes.toml, else a hash of its domain
             of two letters; a host without one, as under com, or an address is treated as by host, since
             one node would own most of the Web otherwise; a country's name in another script
             ("xn--p1ai") is recognized only if hosts has it
  hierarchy  the host's name from its end, then the folders of the path: the longest of the
             hosts in nodes.toml that matches, else a hash of the registered domain
  owner      the link's attribute owner, set by classify pages -links-only and copied by
             extract; a link without it, or with an unknown name, belongs to this crawler
  none       every link belongs to this crawler: for partitions by content alone`

// New returns the partition with this name, for the node me.
func New(name string, set *nodes.Set, me *nodes.Node) (Partition, error) {
	switch name {
	case "url":
		return byHash(set, func(url []byte) []byte { return url }), nil
	case "host":
		return byHash(set, canon.Host[[]byte]), nil
	case "domain":
		return byHash(set, registered.Domain[[]byte]), nil
	case "country":
		return byPlace(country(set), byHash(set, ofCountry)), nil
	case "hierarchy":
		return byPlace(hierarchy(set), byHash(set, registered.Domain[[]byte])), nil
	case "owner":
		return byOwner(set, me), nil
	case "none":
		return func(*urlbatch.Record) *nodes.Node { return me }, nil
	}
	return nil, fmt.Errorf("unknown partition %.40q%s", name, suggest.Hint(name, Names()))
}

// byHash assigns each URL to a node by the hash of the part that of returns.
func byHash(set *nodes.Set, of func(url []byte) []byte) Partition {
	return func(rec *urlbatch.Record) *nodes.Node { return set.ByHash(set.Sum(of(rec.URLBytes()))) }
}

// byOwner assigns a link to the node in its attribute owner, or to me if it has none.
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
