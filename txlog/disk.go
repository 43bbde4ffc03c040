package txlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// A Disk contains the operations by which the log and the manager change a crawl's directory. They
// change it in no other way, so a test can use a Disk that fails, or ends the process, at the N-th
// call. Errors contain the operation and the path, as errors of package os do. Only the owner can
// open the created files.
type Disk interface {
	// Mkdir creates a directory. It is no error if the directory exists.
	Mkdir(path string) error
	// Create creates a file that must not exist yet, and opens it for writing.
	Create(path string) (File, error)
	// Append opens a file for writing at its end.
	Append(path string) (File, error)
	// Rename renames a file to a name that must not exist yet.
	Rename(from, to string) error
	// Link gives a file another name, which must not exist yet.
	Link(from, to string) error
	// Remove removes a file or an empty directory. It is no error if it does not exist.
	Remove(path string) error
	// Replace replaces the content of a file, atomically and durably. Readers see the old or the
	// new content. When Replace has returned, the new content survives a power failure.
	Replace(path string, content func(io.Writer) error) error
	// Sync makes a file's content durable, or a directory's entries.
	Sync(path string) error
}

// A File is open for writing.
type File interface {
	io.WriteCloser
	Sync() error
}

// OS is the Disk of the operating system.
type OS struct{}

// Mkdir implements Disk.
func (OS) Mkdir(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Create implements Disk.
func (OS) Create(path string) (File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Append implements Disk.
func (OS) Append(path string) (File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
}

// Rename implements Disk. Its check that the new name does not exist is not atomic. The check
// protects committed files if a number is used again, which must never happen.
func (OS) Rename(from, to string) error {
	switch _, err := os.Lstat(to); {
	case err == nil:
		return &fs.PathError{Op: "rename onto", Path: to, Err: fs.ErrExist}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return os.Rename(from, to)
}

// Link implements Disk.
func (OS) Link(from, to string) error { return os.Link(from, to) }

// Remove implements Disk.
func (OS) Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Replace implements Disk. The temporary file's name is the file's name with a dot before it and
// digits after it. renameio syncs the file but not its directory.
func (d OS) Replace(path string, content func(io.Writer) error) error {
	dir := filepath.Dir(path)
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(dir), renameio.WithPermissions(0o600))
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := content(f); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return d.Sync(dir)
}

// Sync implements Disk.
func (OS) Sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
