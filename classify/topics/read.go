package topics

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Read reads a tree from text: on each line a topic, a tab and the topic above it. A topic that is
// on no line as the first is below the root. Blank lines and lines that begin with # are ignored.
func Read(r io.Reader) (*Tree, error) {
	parents := map[string]string{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		child, parent, ok := strings.Cut(line, "\t")
		if !ok || child == "" || parent == "" {
			return nil, fmt.Errorf("line %d: want a topic, a tab and the topic above it, not %.200q", n, line)
		}
		if other, twice := parents[child]; twice {
			return nil, fmt.Errorf("line %d: the topic %q is below %q already", n, child, other)
		}
		parents[child] = parent
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return New(parents)
}

// Nested returns the tree of topics whose names are paths: sport/hockey is below sport.
func Nested(names []string) (*Tree, error) {
	parents := map[string]string{}
	for _, name := range names {
		if err := checkName(name); err != nil {
			return nil, err
		}
		if strings.Contains("/"+name+"/", "//") {
			return nil, fmt.Errorf("%q is no path of topics: a name between slashes is empty", name)
		}
		for name != "" {
			parent := name[:max(strings.LastIndexByte(name, '/'), 0)]
			parents[name], name = parent, parent
		}
	}
	return New(parents)
}
