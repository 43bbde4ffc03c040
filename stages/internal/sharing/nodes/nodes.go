// Package nodes reads nodes.toml, the file that says which crawlers take part in a collaboration.
// All of them have the same file. A node is a crawler of the collaboration, which owns a part of
// the Web (thesis, section 3.1.1). A partition says which part (package partition, or classify
// pages).
//
// # Format, version 1
//
// TOML, UTF-8, at most 1 MB:
//
//	nodes = 1                                   # the version of the format
//	url   = "file:crawl/$FROM/outgoing/$TO"     # where the node FROM holds batches for the node TO
//	secret = "…"                                # of this collaboration: 32 hexadecimal digits
//
//	[[node]]
//	name   = "arts"                             # of a-z, 0-9 and -, at most 40: it becomes a folder
//	labels = ["arts"]                           # of the pages that are its own; absent: its name
//
//	[[node]]
//	name   = "world"
//	labels = ["foreign"]
//	hosts  = ["jp", "example.org/a"]            # places that are its own, for the partitions by place
//	url    = "sftp://crawl@big/$FROM/$TO"       # of this node alone, in place of the one above
//
// The place of a node in the file is its number, from 0. Hashes choose by number, so a new node
// goes to the end: then each URL of N nodes moves with the chance 1/N, and only to the new node. In
// another order nearly all would move. For the same reason no node is taken out. A crawler that is
// gone for good is replaced by another one of its name, which begins with what the others hold for
// it.
//
// A label names what a classifier says of a page: a topic, or the code of a language, such as "de".
// The label "foreign" owns the pages in all languages that are no label themselves. No label has
// two owners.
//
// A host is a name, which owns all the names below it, at all ports ("jp", "example.org"); a name
// and a port ("example.org:8080"); or either with a folder ("example.org/a"): these are one
// server's. Of several that match the longest decides. A hash decides about what no host matches.
//
// The secret keys the hashes that choose among the nodes (package keyed). Without it they are
// XXH64, and a stranger can make any number of links that all belong to one node. It is made once,
// by openssl rand -hex 16, before the first crawler starts: with another secret nearly all URLs
// would move. A file with a secret is for nobody else to read.
//
// url is file:, sftp:// or s3://; $FROM is the node that holds batches, $TO the one they are for. A
// relative file: is relative to the folder of nodes.toml. A url must not hold a password. No two
// nodes hold their batches in one place.
package nodes

import (
	"fmt"
	"strings"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/suggest"
)

// Foreign is the label of pages in a language that is no label itself.
const Foreign = "foreign"

// A Node is a crawler of the collaboration.
type Node struct {
	Number int      // its place in the file, from 0
	Name   string   // of a-z, 0-9 and -, from 1 to 40 of them: safe as a file name
	Labels []string // of the pages it owns
	Hosts  []string // places it owns, canonical: "jp", "example.org:8080", "example.org/a"

	url string // where it holds batches for $TO
}

// A Set is the nodes of a collaboration. It does not change, and may be used by several goroutines.
type Set struct {
	file    string // for messages
	nodes   []*Node
	byName  map[string]*Node
	byLabel map[string]*Node
	hash    *keyed.Hash
}

// All returns the nodes in the order of their numbers; there is at least one. The slice must not be
// changed.
func (s *Set) All() []*Node { return s.nodes }

// ByName returns the node of that name. The error suggests the one that was probably meant.
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

// ByLabel returns the node that owns the pages with that label.
func (s *Set) ByLabel(label string) (n *Node, ok bool) {
	n, ok = s.byLabel[label]
	return n, ok
}

// ByLanguage returns the node that owns the pages in a language, by its code or as a foreign one.
func (s *Set) ByLanguage(code string) (n *Node, ok bool) {
	if n, ok = s.byLabel[code]; ok {
		return n, true
	}
	n, ok = s.byLabel[Foreign]
	return n, ok
}

// Owned fails when a label has no owner. labels are those that a classifier may give; they are
// checked before the first page.
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

// Owners returns a text of everything that decides which node owns a page or link: names in their
// order, labels and hosts.
func (s *Set) Owners() []byte {
	var text []byte
	for _, n := range s.nodes {
		text = fmt.Appendf(text, "%q %q %q\n", n.Name, n.Labels, n.Hosts)
	}
	return text
}

// Sum returns the hash of a text. It is the same for all nodes, and unknown to those who do not
// know the secret of the file.
func (s *Set) Sum(text []byte) uint64 { return s.hash.Sum(text) }

// ByHash returns the node that a hash chooses, each with the same chance. It is the jump hash of
// Lamping and Veach: with one more node at the end a hash keeps its node or moves to the new one.
func (s *Set) ByHash(sum uint64) *Node {
	at, next := int64(-1), int64(0)
	for next < int64(len(s.nodes)) {
		at = next
		sum = sum*2862933555777941757 + 1
		next = int64(float64(at+1) * (float64(1<<31) / float64(sum>>33+1)))
	}
	return s.nodes[at]
}

// URL returns where from holds batches for to: an absolute URL.
func (s *Set) URL(from, to *Node) string {
	return strings.NewReplacer("$FROM", from.Name, "$TO", to.Name).Replace(from.url)
}
