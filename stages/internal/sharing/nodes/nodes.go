// Package nodes reads nodes.toml, which lists the crawlers of a collaboration. All crawlers have
// the same file. A node is one of these crawlers. It owns a part of the Web (thesis, section
// 3.1.1), which a partition determines (package partition, or classify pages).
//
// # Format, version 1
//
// TOML, UTF-8, at most 1 MB:
//
//	nodes = 1                                   # the version of the format
//	url   = "file:crawl/$FROM/outgoing/$TO"     # where the node FROM holds batches for the node TO
//	secret = "…"                                # secret of the collaboration: 32 hexadecimal digits
//
//	[[node]]
//	name   = "arts"                             # at most 40 of a-z, 0-9 and -: it becomes a folder
//	labels = ["arts"]                           # labels of its pages; default: its name
//
//	[[node]]
//	name   = "world"
//	labels = ["foreign"]
//	hosts  = ["jp", "example.org/a"]            # places that it owns, for the partitions by place
//	url    = "sftp://crawl@big/$FROM/$TO"       # for this node, instead of the url above
//
// The place of a node in the file is its number, from 0. Hashes choose nodes by number. In another
// order nearly all URLs would move. Replace a lost crawler by a new one with the same name, which
// begins with the batches that the others hold for it.
//
// A node with joined = true came when the crawl had begun; one with leaves = true fetches nothing
// more. See Remembering and Fetching. Both are false by default.
//
// A label is a result of a classifier: a topic, or the code of a language, such as "de". The label
// "foreign" means the pages in all languages without a label. A label has only one owner.
//
// A host is a name, which includes all names below it and all ports ("jp", "example.org"); or a
// name and a port ("example.org:8080"); or either of them with a folder ("example.org/a"). The last
// two mean one server only. If several hosts match, the longest decides. If none matches, a hash
// decides.
//
// The secret keys the hashes that choose nodes (package keyed). Without a secret they are XXH64,
// and anybody can make any number of links that all belong to one node. Make the secret once, with
// openssl rand -hex 16, before the first crawler starts: with another secret nearly all URLs would
// move. Nobody else may read a file with a secret.
//
// url is file:, sftp:// or s3://. $FROM is the node that holds batches, $TO is the node that
// fetches them. A relative file: URL is relative to the folder of nodes.toml. A url must not
// contain a password. Two nodes must not hold their batches in the same place.
package nodes

import (
	"fmt"
	"strings"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/suggest"
)

// Foreign is the label of pages in a language without a label.
const Foreign = "foreign"

// A Node is a crawler of the collaboration.
type Node struct {
	Number int      // position in the file, from 0
	Name   string   // 1 to 40 characters of a-z, 0-9 and -: safe as a file name
	Labels []string // labels of the pages that it owns
	Hosts  []string // places that it owns, canonical: "jp", "example.org:8080", "example.org/a"
	Joined bool     // it does not remember URLs
	Leaves bool     // it does not fetch URLs

	url string // place where it holds batches for $TO
}

// A Set has the nodes of a collaboration. It does not change and is safe for concurrent use.
type Set struct {
	file    string // for messages
	nodes   []*Node
	byName  map[string]*Node
	byLabel map[string]*Node
	hash    *keyed.Hash
}

// All returns the nodes in the order of their numbers. There is at least one. Do not modify the
// slice.
func (s *Set) All() []*Node { return s.nodes }

// ByName returns the node with this name. The error suggests a similar name.
func (s *Set) ByName(name string) (*Node, error) {
	if n, ok := s.byName[name]; ok {
		return n, nil
	}
	names := make([]string, 0, len(s.nodes))
	for _, n := range s.nodes {
		names = append(names, n.Name)
	}
	return nil, fmt.Errorf("%s has no node %.60q%s", s.file, name, suggest.Hint(name, names))
}

// ByLabel returns the node that owns the pages with this label.
func (s *Set) ByLabel(label string) (n *Node, ok bool) {
	n, ok = s.byLabel[label]
	return n, ok
}

// ByLanguage returns the node that owns the pages in a language, by the language's code or by the
// label foreign.
func (s *Set) ByLanguage(code string) (n *Node, ok bool) {
	if n, ok = s.byLabel[code]; ok {
		return n, true
	}
	n, ok = s.byLabel[Foreign]
	return n, ok
}

// Owned returns an error if a label has no owner. labels are the possible results of a classifier;
// they are checked before the first page.
func (s *Set) Owned(labels []string) error {
	var without []string
	for _, label := range labels {
		if _, ok := s.byLabel[label]; !ok {
			without = append(without, fmt.Sprintf("%.60q", label))
		}
	}
	if len(without) == 0 {
		return nil
	}
	return fmt.Errorf("%s: no node owns the label %s: write it into the labels of one", s.file,
		strings.Join(without, ", "))
}

// Owners returns a text with everything that determines which node owns a page or link: names in
// order, labels, hosts, and who has joined or leaves.
func (s *Set) Owners() []byte {
	var text []byte
	for _, n := range s.nodes {
		text = fmt.Appendf(text, "%q %q %q\n", n.Name, n.Labels, n.Hosts)
		if n.Joined || n.Leaves { // else the text is that of a file without these keys
			text = fmt.Appendf(text, "joined %t leaves %t\n", n.Joined, n.Leaves)
		}
	}
	return text
}

// Sum returns the hash of a text. All nodes compute the same hash. It cannot be computed without
// the secret in the file.
func (s *Set) Sum(text []byte) uint64 { return s.hash.Sum(text) }

// ByHash returns the node for a hash; all nodes are equally probable. It is the jump hash of
// Lamping and Veach: if a node is added at the end, a hash keeps its node or moves to the new one.
func (s *Set) ByHash(sum uint64) *Node {
	at, next := int64(-1), int64(0)
	for next < int64(len(s.nodes)) {
		at = next
		sum = sum*2862933555777941757 + 1
		next = int64(float64(at+1) * (float64(1<<31) / float64(sum>>33+1)))
	}
	return s.nodes[at]
}

// URL returns the absolute URL of the place where from holds batches for to.
func (s *Set) URL(from, to *Node) string {
	return strings.NewReplacer("$FROM", from.Name, "$TO", to.Name).Replace(from.url)
}
