package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/pkg/sftp"
)

// A far folder is a folder of another machine, reached by OpenSSH:
//
//	sftp://crawl@host7/srv/crawl/arts/outgoing/world       default port 22
//	sftp://crawl@host7:2222/~/arts/outgoing/world          below the account's home
//
// All calls share one connection. After it was lost, the next call connects again.
type far struct {
	where string // the part of the URL that messages may show
	path  string
	gate  *gate
	link  *link // nil: not connected
}

// newFar accepts sftp://user@host/path, and reads the keys for both sides.
func newFar(u *url.URL, o Options) (*far, error) {
	where := "sftp://" + u.User.Username() + "@" + u.Host + u.Path
	if u.User.Username() == "" || u.Hostname() == "" || len(u.Path) < 2 || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("place sftp://%s%s: want sftp://USER@HOST[:PORT]/PATH and nothing else", u.Host, u.Path)
	}
	gate, err := newGate(u, o)
	if err != nil {
		return nil, fmt.Errorf("place %s: %w", where, err)
	}
	folder := path.Clean(u.Path)
	if home, ok := strings.CutPrefix(folder, "/~/"); ok {
		folder = home // relative paths begin at the account's home
	}
	return &far{where: where, path: folder, gate: gate}, nil
}

// during runs a call to the other side, and wraps an error with its kind. It drops the connection
// if it is no longer usable.
func (f *far) during(ctx context.Context, what string, call func(*sftp.Client) error) error {
	if err := f.connect(ctx); err != nil {
		return fmt.Errorf("%s: %w", f.where, err)
	}
	done := f.link.conn.await(ctx)
	err := call(f.link.files)
	done()
	return f.told(ctx, what, err)
}

func (f *far) connect(ctx context.Context) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.link == nil {
		f.link, err = f.gate.enter(ctx)
	}
	return err
}

// told returns the error of a call with its kind and place.
func (f *far) told(ctx context.Context, what string, err error) error {
	var status *sftp.StatusError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		f.drop()
		err = ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, fs.ErrPermission):
		err = fmt.Errorf("%w: %w", ErrRefused, err)
	case errors.As(err, &status):
	default: // no answer, or one that violates the protocol
		f.drop()
		err = fmt.Errorf("%w: the connection broke: %w", ErrUnreachable, err)
	}
	return fmt.Errorf("%s: %s: %w", f.where, what, err)
}

// drop closes the connection in any state.
func (f *far) drop() {
	if f.link != nil {
		f.link.close()
		f.link = nil
	}
}

// Close implements Store.
func (f *far) Close() error {
	f.drop()
	return nil
}

// maxListing is the number of bytes that are read of one listing: about 90,000 names of batches.
const maxListing = 16 << 20

// List implements Store. The library reads a folder to its end before it returns anything, so the
// amount that is read is limited. For a larger folder List returns only the first part. The rest
// follows in later runs, after the first part was fetched and removed.
func (f *far) List(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var found []os.FileInfo
		err := f.during(ctx, "list", func(files *sftp.Client) (err error) {
			enough, stop := context.WithCancel(ctx)
			defer stop()
			f.link.conn.bound(maxListing, stop)
			defer f.link.conn.bound(0, nil)
			found, err = files.ReadDirContext(enough, f.path)
			if enough.Err() != nil && ctx.Err() == nil {
				return nil
			}
			return err
		})
		if err != nil {
			yield(Entry{}, err)
			return
		}
		for _, info := range found {
			ok := CheckName(info.Name()) == nil && info.Mode().IsRegular()
			if ok && !yield(Entry{info.Name(), info.Size()}, nil) {
				return
			}
		}
	}
}

// Open implements Store.
func (f *far) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	r := &farFile{far: f, ctx: ctx, name: name}
	err := f.during(ctx, "open "+name, func(files *sftp.Client) (err error) {
		r.file, err = files.Open(path.Join(f.path, name))
		return err
	})
	if err != nil {
		return nil, err
	}
	r.link = f.link
	return struct {
		io.Reader
		io.Closer
	}{bufio.NewReaderSize(readerOnly{r}, readAhead), r}, nil
}

// readAhead is the number of bytes that are requested at once. The library requests all their
// packets together, so that a reader does not wait for the other side at every 32 KiB.
const readAhead = 1 << 20

// readerOnly hides all other methods from bufio.
type readerOnly struct{ io.Reader }

// A farFile is an open file on the other side.
type farFile struct {
	far  *far
	link *link // the connection on which it was opened
	ctx  context.Context
	name string
	file *sftp.File
}

// Read implements io.Reader.
func (r *farFile) Read(b []byte) (int, error) {
	done := r.link.conn.await(r.ctx)
	n, err := r.file.Read(b)
	done()
	if err != nil && err != io.EOF {
		err = r.far.told(r.ctx, "read "+r.name, err)
	}
	return n, err
}

// Close implements io.Closer. If the connection is lost, the other side closes the file itself.
func (r *farFile) Close() error {
	if r.far.link != r.link {
		return nil
	}
	done := r.link.conn.await(r.ctx)
	err := r.file.Close()
	done()
	return r.far.told(r.ctx, "close "+r.name, err)
}

// Remove implements Store.
func (f *far) Remove(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	err := f.during(ctx, "remove "+name, func(files *sftp.Client) error {
		return files.Remove(path.Join(f.path, name))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
