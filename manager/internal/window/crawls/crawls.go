// Package crawls finds the crawls that a command line of window names, and gives each a name.
//
// An argument is a script or the directory of a crawl. The directory contains the script of the
// last start, so a crawl that was copied from another machine needs nothing else. If a var is given
// several times, a script makes one crawl for each value.
package crawls

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"multitext/manager/internal/follow"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/script/draw"
)

// A Crawl is a crawl with a name that is part of addresses: letters, digits, dots, _ and -.
type Crawl struct {
	Name string
	*follow.Crawl

	layout layout
}

// A layout is that of the picture of a script.
type layout struct {
	text string // of the script
	*draw.Layout
}

// Layout returns the layout of the crawl's script, which is the one that With passes. It is found
// once for each text of the script.
func (c *Crawl) Layout(s *script.Script) *draw.Layout {
	if text := string(s.Text); c.layout.Layout == nil || c.layout.text != text {
		c.layout = layout{text, draw.Lay(s)}
	}
	return c.layout.Layout
}

// Open returns the crawls of a command line. vars are the values of -var, in their order.
func Open(args []string, vars []script.Var) ([]*Crawl, error) {
	var out []*Crawl
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			s, err := stored(arg)
			if err != nil {
				return nil, err
			}
			out = append(out, &Crawl{Name: telling(s.Dir), Crawl: follow.New(s)})
			continue
		}
		for _, values := range combinations(vars) {
			s, err := script.Load(arg, nil, values...)
			if err != nil {
				return nil, err
			}
			out = append(out, &Crawl{Name: telling(strings.TrimSuffix(s.Path, filepath.Ext(s.Path))) + several(values, vars),
				Crawl: follow.New(s)})
		}
	}
	name(out)
	return out, nil
}

// stored returns the script of the last start of the crawl in a directory.
func stored(dir string) (*script.Script, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	path := (&workdir.Dir{Root: root}).ScriptPath()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no directory of a crawl that was started: it has no %s. Name the script instead, "+
			"or the directory that it has as dir", dir, path)
	}
	if err != nil {
		return nil, err
	}
	s, err := script.Parse(path, text, nil)
	if err != nil {
		return nil, err
	}
	s.Dir = root
	return s, nil
}

// combinations returns each choice of one value for each var, in the order of the command line.
func combinations(vars []script.Var) [][]script.Var {
	out := [][]script.Var{nil}
	for i, v := range vars {
		same := func(other script.Var) bool { return other.Name == v.Name }
		if slices.ContainsFunc(vars[:i], same) {
			continue
		}
		var longer [][]script.Var
		for _, choice := range out {
			for _, value := range vars {
				if same(value) {
					longer = append(longer, append(slices.Clip(choice), value))
				}
			}
		}
		out = longer
	}
	return out
}

// several returns the values of those vars that were given several times, as the end of a name.
func several(values, vars []script.Var) (end string) {
	for _, v := range values {
		if slices.ContainsFunc(vars, func(other script.Var) bool { return other.Name == v.Name && other != v }) {
			end += "-" + v.Value
		}
	}
	return end
}

// telling returns the last word of a path that says more than "crawl".
func telling(path string) string {
	base := filepath.Base(path)
	if base == "crawl" {
		return filepath.Base(filepath.Dir(path))
	}
	return base
}

// name makes the names different from each other, and fit for addresses.
func name(all []*Crawl) {
	taken := map[string]bool{}
	for _, c := range all {
		base := strings.Trim(strings.Map(func(r rune) rune {
			if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", r) {
				return r
			}
			return '-'
		}, c.Name), ".-")
		if base == "" {
			base = "crawl"
		}
		c.Name = base
		for n := 2; taken[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[c.Name] = true
	}
}
