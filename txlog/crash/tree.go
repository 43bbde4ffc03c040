package crash

import (
	"encoding/binary"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// A Tree is the content of a folder. It maps the path of each file, relative to the folder, to the
// content of the file. The path of a directory ends in a slash.
type Tree map[string][]byte

// ReadTree reads a folder.
func ReadTree(folder string) (Tree, error) {
	t := Tree{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			t[name+"/"] = nil
			return nil
		}
		t[name], err = os.ReadFile(path)
		return err
	})
	return t, err
}

// Write creates the files of the tree in an existing folder.
func (t Tree) Write(folder string) error {
	for _, name := range t.names() {
		path := filepath.Join(folder, name)
		err := error(nil)
		if strings.HasSuffix(name, "/") {
			err = os.Mkdir(path, 0o777)
		} else {
			err = os.WriteFile(path, t[name], 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Sum returns a hash that distinguishes trees.
func (t Tree) Sum() uint64 {
	h := xxhash.New()
	text := func(b []byte) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	for _, name := range t.names() {
		text([]byte(name))
		text(t[name])
	}
	return h.Sum64()
}

// names returns the paths, with each directory before its content.
func (t Tree) names() []string { return slices.Sorted(maps.Keys(t)) }
