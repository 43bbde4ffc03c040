package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
)

// A Folder is a place in the file system of this machine, which may be an NFS mount. It is opened
// for each call, so that it is found again after it was removed and recreated.
type Folder struct {
	path   string
	passed int64
}

// OpenFolder returns the folder at a path. It does not read the folder.
func OpenFolder(path string) *Folder { return &Folder{path: filepath.Clean(path)} }

// Passed returns the number of names that List has skipped. Names that begin with a dot do not
// count, because the manager writes files under such names.
func (f *Folder) Passed() int64 { return f.passed }

// newFolder accepts file:relative/path, file:/path and file:///path.
func newFolder(u *url.URL) (*Folder, error) {
	if u.Host != "" && u.Host != "localhost" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("place %s: want file:path or file:///path and nothing else", u.Redacted())
	}
	path := u.Path
	if u.Opaque != "" {
		var err error
		if path, err = url.PathUnescape(u.Opaque); err != nil {
			return nil, fmt.Errorf("place %s: %w", u.Redacted(), err)
		}
	}
	if path == "" {
		return nil, fmt.Errorf("place %s: the path of a folder is missing", u.Redacted())
	}
	return OpenFolder(path), nil
}

// listPage is the number of names that are read from the system at a time.
const listPage = 1024

// List implements Store.
func (f *Folder) List(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		dir, err := f.openDir()
		if err != nil {
			yield(Entry{}, told("list", err))
			return
		}
		defer dir.Close()
		for ctx.Err() == nil {
			page, err := dir.ReadDir(listPage)
			for _, d := range page {
				if CheckName(d.Name()) != nil || !d.Type().IsRegular() {
					if d.Name()[0] != '.' {
						f.passed++
					}
				} else if e, ok := entry(d); ok && !yield(e, nil) {
					return
				}
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Entry{}, told("list", err))
				return
			}
		}
		yield(Entry{}, ctx.Err())
	}
}

// entry returns the Entry for a file. ok is false if the file no longer exists.
func entry(d fs.DirEntry) (e Entry, ok bool) {
	info, err := d.Info()
	if err != nil || !info.Mode().IsRegular() {
		return e, false
	}
	return Entry{d.Name(), info.Size()}, true
}

// Open implements Store.
func (f *Folder) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	file, err := f.OpenFile(ctx, name)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// OpenFile is like Open. It does not follow links out of the folder, and does not wait for a pipe.
func (f *Folder) OpenFile(ctx context.Context, name string) (*os.File, error) {
	root, err := f.enter(ctx, name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, told("open", err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: not a regular file", name)
	}
	if err != nil {
		file.Close()
		return nil, told("open", err)
	}
	return file, nil
}

// Remove implements Store.
func (f *Folder) Remove(ctx context.Context, name string) error {
	root, err := f.enter(ctx, name)
	if err == nil {
		defer root.Close()
		err = root.Remove(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return told("remove", err)
}

// Close implements Store.
func (f *Folder) Close() error { return nil }

// enter checks the name and opens the folder. A file opened through the result cannot be outside
// the folder.
func (f *Folder) enter(ctx context.Context, name string) (*os.Root, error) {
	if err := errors.Join(CheckName(name), ctx.Err()); err != nil {
		return nil, err
	}
	root, err := f.openRoot()
	return root, told("open", err)
}

// openRoot opens the folder, which must not be a link out of its parent. The folder belongs to a
// peer: it could be a link to batches that this crawler holds for others, and gofer would then
// fetch and remove them.
func (f *Folder) openRoot() (*os.Root, error) {
	around, err := os.OpenRoot(filepath.Dir(f.path))
	if err != nil {
		return nil, err
	}
	defer around.Close()
	return around.OpenRoot(filepath.Base(f.path))
}

// openDir opens the folder for listing.
func (f *Folder) openDir() (*os.File, error) {
	root, err := f.openRoot()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(".")
}

// told wraps an error of the system with its kind, which is one of three.
func told(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", what, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%s: %w: %w", what, ErrRefused, err)
	case errors.Is(err, syscall.ESTALE), errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, syscall.ENOTCONN),
		errors.Is(err, syscall.EHOSTDOWN), errors.Is(err, syscall.EHOSTUNREACH):
		return fmt.Errorf("%s: %w: %w", what, ErrUnreachable, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}
