package nodes

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"multitext/stages/internal/run/suggest"
)

const (
	version  = 1
	maxFile  = 1 << 20
	maxNodes = 1000
)

// file is the content of nodes.toml.
type file struct {
	Nodes  int         `toml:"nodes"`
	URL    string      `toml:"url"`
	Secret string      `toml:"secret"`
	Node   []fileEntry `toml:"node"`
}

type fileEntry struct {
	Name   string   `toml:"name"`
	Labels []string `toml:"labels"`
	Hosts  []string `toml:"hosts"`
	URL    string   `toml:"url"`
	Joined bool     `toml:"joined"`
	Leaves bool     `toml:"leaves"`
}

// Load reads the nodes from the file at path. The error contains all errors in the file.
func Load(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read nodes: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read nodes %s: %w", path, err)
	}
	return Parse(path, text)
}

// Parse is like Load for the bytes of a file. path is used in messages, and its folder is the base
// of relative URLs.
func Parse(path string, text []byte) (*Set, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: longer than 1 MB", path)
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("nodes %s: %w", path, err)
	}
	var f file
	meta, err := toml.Decode(string(text), &f)
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return nil, fmt.Errorf("%s:%d:%d: %s", path, syntax.Position.Line, syntax.Position.Col, syntax.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c := &checker{path: path, folder: folder, places: findPlaces(text)}
	c.unknown(meta.Undecoded())
	set := c.file(&f)
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	return set, nil
}

// unknown reports unknown keys.
func (c *checker) unknown(keys []toml.Key) {
	for _, key := range keys {
		name, known := key[len(key)-1], []string{"nodes", "url", "secret", "node"}
		if len(key) > 1 {
			known = []string{"name", "labels", "hosts", "url", "joined", "leaves"}
		}
		c.fail(c.places.key(name), "unknown key %.60q%s", name, suggest.Hint(name, known))
	}
}

// places has the line numbers, from 1, of keys and headers in a file, because the TOML library does
// not return them. A line inside a multi-line string may be mistaken for a key; this affects only
// the line number in a message.
type places struct {
	keys  map[string]int
	nodes []int // lines of the headers [[node]]
}

func findPlaces(text []byte) places {
	p := places{keys: map[string]int{}}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[[") {
			p.nodes = append(p.nodes, n)
			continue
		}
		key, _, ok := strings.Cut(line, "=")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		if _, old := p.keys[key]; ok && !old {
			p.keys[key] = n
		}
	}
	return p
}

// key returns the first line of a key, or 1 if the key is not found.
func (p places) key(name string) int { return max(1, p.keys[name]) }

// node returns the line of the header of node i.
func (p places) node(i int) int {
	if i < len(p.nodes) {
		return p.nodes[i]
	}
	return p.key("node")
}
