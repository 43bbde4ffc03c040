package examples

import (
	"io/fs"
)

// dirFiles is a folder without its sub-folders: an example without what crawls
// have left in it.
type dirFiles struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (d dirFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(d.FS, name)
	var files []fs.DirEntry
	for _, e := range entries {
		if !e.IsDir() {
			files = append(files, e)
		}
	}
	return files, err
}
