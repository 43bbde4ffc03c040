package nodes

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/web/canon"
)

// A checker makes a Set from a file and collects the errors in it.
type checker struct {
	path, folder string
	places       places
	errs         []error
}

// fail adds an error unless it was added before, because an error in the common url is found at
// each node.
func (c *checker) fail(line int, format string, args ...any) {
	err := fmt.Errorf("%s:%d: %s", c.path, line, fmt.Sprintf(format, args...))
	if !slices.ContainsFunc(c.errs, func(e error) bool { return e.Error() == err.Error() }) {
		c.errs = append(c.errs, err)
	}
}

func (c *checker) file(f *file) *Set {
	switch {
	case f.Nodes == 0:
		c.fail(1, `the version of the format is missing: write "nodes = 1" on the first line`)
	case f.Nodes != version:
		c.fail(c.places.key("nodes"), "nodes = %d is an unknown version; this program supports 1", f.Nodes)
		return nil
	}
	if len(f.Node) == 0 {
		c.fail(1, "the file has no node: write [[node]] and a name for each crawler")
	}
	if len(f.Node) > maxNodes {
		c.fail(1, "the file has %d nodes; the maximum is %d", len(f.Node), maxNodes)
		return nil
	}
	s := &Set{file: c.path, byName: map[string]*Node{}, byLabel: map[string]*Node{}}
	if f.Secret != "" {
		line := c.places.key("secret")
		hash, err := keyed.New(f.Secret, "it")
		if err != nil {
			c.fail(line, "the secret is not 32 hexadecimal digits: make one by openssl rand -hex 16")
		}
		s.hash = hash
	}
	hosts := map[string]*Node{}
	for i := range f.Node {
		c.node(s, hosts, f, i)
	}
	c.apart(s)
	c.changed(s)
	return s
}

// apart reports nodes that hold their batches in the same place, because every batch there would be
// fetched from each of them.
func (c *checker) apart(s *Set) {
	holders := map[string]*Node{}
	for i, n := range s.nodes {
		place := s.URL(n, &Node{Name: "$TO"})
		if other := holders[place]; other != nil && other.Name != n.Name && n.url != "" {
			c.fail(c.places.node(i), "the nodes %q and %q hold their batches in the same place: use $FROM in the url",
				other.Name, n.Name)
		}
		holders[place] = n
	}
}

// node adds node i of the file to s.
func (c *checker) node(s *Set, hosts map[string]*Node, f *file, i int) {
	e, line := f.Node[i], c.places.node(i)
	n := &Node{Number: i, Name: e.Name, Labels: e.Labels, Joined: e.Joined, Leaves: e.Leaves}
	s.nodes = append(s.nodes, n)
	c.name(s, n, line)
	if n.Labels == nil && n.Name != "" {
		n.Labels = []string{n.Name}
	}
	for _, label := range n.Labels {
		c.own(s.byLabel, "label", label, n, line)
	}
	for _, text := range e.Hosts {
		place, err := placeOf(text)
		if err != nil {
			c.fail(line, "the node %q: host %.80q: %v", n.Name, text, err)
			continue
		}
		n.Hosts = append(n.Hosts, place)
		c.own(hosts, "host", place, n, line)
	}
	c.url(n, f.URL, e.URL, line)
}

// names matches names that are safe as names of folders and in names of counters.
var names = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`) })

func (c *checker) name(s *Set, n *Node, line int) {
	switch other := s.byName[n.Name]; {
	case n.Name == "":
		c.fail(line, "this node has no name")
	case !names().MatchString(n.Name):
		c.fail(line, "the name %.60q is not valid: a name has at most 40 of a-z, 0-9 and -, "+
			"and does not begin with -", n.Name)
	case other != nil:
		c.fail(line, "the name %q is the name of node %d, too", n.Name, other.Number)
	default:
		s.byName[n.Name] = n
	}
}

// own makes n the owner of a label or a host. It reports an error if there is an owner already.
func (c *checker) own(owners map[string]*Node, kind, what string, n *Node, line int) {
	switch other := owners[what]; {
	case what == "":
		c.fail(line, "the node %q: an empty %s", n.Name, kind)
	case other == n:
		c.fail(line, "the node %q has the %s %.80q twice", n.Name, kind, what)
	case other != nil:
		c.fail(line, "the nodes %q and %q both have the %s %.80q", other.Name, n.Name, kind, what)
	default:
		owners[what] = n
	}
}

// ownPort matches an authority with the default port of a scheme, which canonical URLs omit.
var ownPort = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^:]:0*(80|443)$`) })

// placeOf returns the canonical form of a host, with or without a folder.
func placeOf(text string) (string, error) {
	if strings.Contains(text, "://") || strings.HasPrefix(text, ".") {
		return "", fmt.Errorf("write a name, as jp or example.org, or a name and a folder, as example.org/a")
	}
	url, err := canon.Parse("http://" + text)
	if err != nil {
		return "", err
	}
	path := canon.Path(url)
	if strings.Contains(path, "?") || strings.ContainsAny(text, "@#") {
		return "", fmt.Errorf("it holds more than a name and a folder")
	}
	if authority, _, _ := strings.Cut(text, "/"); ownPort().MatchString(authority) {
		return "", fmt.Errorf("without a port it has those of http and https; write none")
	}
	return canon.Host(url) + strings.TrimSuffix(path, "/"), nil
}

// url sets the URL of the places where n holds batches.
func (c *checker) url(n *Node, common, own string, line int) {
	template := own
	if own == "" {
		template, line = common, c.places.key("url")
	}
	parsed, err := url.Parse(template)
	shown := shown(template)
	switch {
	case template == "":
		c.fail(1, `where batches lie is missing: write url = "file:crawl/$FROM/outgoing/$TO"`)
	case err != nil || parsed.Opaque != "" && parsed.Scheme != "file" ||
		parsed.Scheme != "file" && parsed.Scheme != "sftp" && parsed.Scheme != "s3":
		c.fail(line, "the url %.200q is none that begins with file:, sftp:// or s3://", shown)
	case parsed.Scheme == "file" && parsed.Host != "":
		c.fail(line, "the url %.200q: write file:FOLDER, or file:///FOLDER for one that begins at the root", shown)
	case secret(parsed):
		c.fail(line, "the url contains a password: remove it")
	case !strings.Contains(template, "$TO") || own == "" && !strings.Contains(template, "$FROM"):
		c.fail(line, "the url %.200q needs $FROM and $TO, the node that holds a batch and the one it is for", shown)
	case runTogether().MatchString(template):
		c.fail(line, "the url %.200q needs a / between $FROM and $TO: else a and b-c have the place of a-b and c",
			shown)
	default:
		n.url = c.absolute(parsed, template)
	}
}

// runTogether matches $FROM and $TO if the text between them could be part of a name.
var runTogether = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$(FROM|TO)[a-z0-9-]*\$(FROM|TO)`)
})

// shown returns the template for a message, without user and password. These may be anywhere in a
// text that is not a URL.
func shown(template string) string {
	from, to := strings.Index(template, "//"), strings.LastIndexByte(template, '@')
	if from < 0 || to < from {
		return template
	}
	return template[:from+2] + "..." + template[to:]
}

func secret(u *url.URL) bool {
	_, has := u.User.Password()
	return has
}

// absolute makes a relative file: URL absolute, and returns other URLs unchanged.
func (c *checker) absolute(u *url.URL, template string) string {
	if u.Opaque == "" {
		return template
	}
	path, err := url.PathUnescape(u.Opaque)
	if err != nil {
		return template
	}
	return (&url.URL{Scheme: u.Scheme, Path: filepath.Join(c.folder, path)}).String()
}
