package peek

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// IsName reports whether a text is the name of a batch: QUEUE/FILE or QUEUE/FOLDER/FILE.
func IsName(name txlog.Name) bool {
	parts := strings.Split(string(name), "/")
	for _, part := range parts[:len(parts)-1] {
		if !txlog.IsFolder(part) {
			return false
		}
	}
	_, _, _, ok := txlog.ParseFileName(parts[len(parts)-1])
	return ok && (len(parts) == 2 || len(parts) == 3)
}

// Open opens a batch of the crawl in a directory. A batch that was just committed may still be
// under work/. The error wraps fs.ErrNotExist if the batch does not exist any more.
func Open(root string, name txlog.Name) (*os.File, error) {
	if !IsName(name) {
		return nil, fmt.Errorf("%q is not the name of a batch: %w", string(name), fs.ErrNotExist)
	}
	path, err := workdir.Where(root, name)
	if err != nil {
		return nil, fmt.Errorf("look for batch %s: %w", name, err)
	}
	within, err := filepath.Rel(root, path)
	if err != nil {
		return nil, fmt.Errorf("look for batch %s: %w", name, err)
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open the crawl's directory: %w", err)
	}
	defer dir.Close()
	return openRegular(dir, within)
}

// openRegular opens a regular file that lies in directories only, without symbolic links.
func openRegular(dir *os.Root, path string) (*os.File, error) {
	parts := strings.Split(path, string(filepath.Separator))
	for i := range len(parts) - 1 {
		folder := filepath.Join(parts[:i+1]...)
		info, err := dir.Lstat(folder)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is no directory", folder)
		}
	}
	seen, err := dir.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !seen.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	f, err := dir.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe that has replaced it is not waited for
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(seen, opened) {
		f.Close()
		return nil, fmt.Errorf("%s was replaced while it was opened", path)
	}
	return f, nil
}
