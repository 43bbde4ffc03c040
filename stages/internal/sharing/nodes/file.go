package nodes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"multitext/stages/internal/run/suggest"
)

const (
	version  = 1
	maxFile  = 1 << 20
	maxNodes = 1000
)

// file is nodes.toml as it is written.
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
}

// Load reads the nodes from the file at path. The error lists everything that is wrong with it.
func Load(path string) (*Set, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read nodes: %w", err)
	}
	return Parse(path, text)
}

// Parse is Load with the file's bytes in hand. The path is for messages, and relative URLs are
// relative to its folder.
func Parse(path string, text []byte) (*Set, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: longer than 1 MB", path)
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("nodes %s: %w", path, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // as some editors begin a file
	c := &checker{path: path, folder: folder, places: findPlaces(text)}
	var f file
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&f)
	var unknown *toml.StrictMissingError
	var syntax *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		c.unknown(unknown)
	case errors.As(err, &syntax):
		line, column := syntax.Position()
		return nil, fmt.Errorf("%s:%d:%d: %s", path, line, column, strings.TrimPrefix(syntax.Error(), "toml: "))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	set := c.file(&f)
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	return set, nil
}

// unknown reports keys that the format does not have.
func (c *checker) unknown(keys *toml.StrictMissingError) {
	for _, one := range keys.Errors {
		line, _ := one.Position()
		key, known := one.Key(), []string{"nodes", "url", "secret", "node"}
		if len(key) > 1 {
			known = []string{"name", "labels", "hosts", "url"}
		}
		name := key[len(key)-1]
		c.fail(line, "there is no key %.60q here%s", name, suggest.Hint(name, known))
	}
}

// places are the lines of a file, from 1, on which things stand.
type places struct {
	keys  map[string]int // of those above the first table
	nodes []int          // of the headers [[node]]
}

// findPlaces returns the places of a text, up to an error in its syntax.
func findPlaces(text []byte) places {
	at := places{keys: map[string]int{}}
	p := &unstable.Parser{}
	p.Reset(text)
	line, counted := 1, 0
	for p.NextExpression() {
		e := p.Expression()
		keys := e.Key()
		keys.Next()
		key := keys.Node()
		line += bytes.Count(text[counted:key.Raw.Offset], []byte("\n"))
		counted = int(key.Raw.Offset)
		if e.Kind == unstable.ArrayTable {
			at.nodes = append(at.nodes, line)
		} else if len(at.nodes) == 0 {
			at.keys[string(key.Data)] = line
		}
	}
	return at
}

// key returns the line of a key, 1 if it is not there.
func (p places) key(name string) int { return max(1, p.keys[name]) }

// node returns the line of the header of node i.
func (p places) node(i int) int {
	if i < len(p.nodes) {
		return p.nodes[i]
	}
	return p.key("node")
}
