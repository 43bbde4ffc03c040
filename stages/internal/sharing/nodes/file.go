package nodes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
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
	c := &checker{path: path, folder: folder}
	if err := toml.Unmarshal(text, new(map[string]any)); err != nil {
		return nil, c.invalid(err)
	}
	c.shape(text)
	var f file
	var set *Set
	if err = toml.Unmarshal(text, &f); err == nil {
		set = c.file(&f)
	} else if len(c.errs) == 0 {
		return nil, c.invalid(err)
	}
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	return set, nil
}

// invalid returns the error of a text that is not TOML.
func (c *checker) invalid(err error) error {
	var syntax *toml.DecodeError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	line, column := syntax.Position()
	return fmt.Errorf("%s:%d:%d: %s", c.path, line, column, strings.TrimPrefix(syntax.Error(), "toml: "))
}

// places are the lines of a file, from 1, on which things stand.
type places struct {
	keys  map[string]int // of those above the first table
	nodes []int          // of the headers [[node]]
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
