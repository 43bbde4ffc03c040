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

// A far folder is one of another machine, behind its OpenSSH:
//
//	sftp://crawl@host7/srv/crawl/arts/outgoing/world       port 22 unless it is named
//	sftp://crawl@host7:2222/~/arts/outgoing/world          below the home of the account
//
// One connection is kept for all calls; after it was lost the next call makes another.
type far struct {
	where string // for messages: no more of the URL than that
	path  string
	gate  *gate
	link  *link // nil: not connected
}

// newFar takes sftp://user@host/path, and reads what is needed to prove who is who.
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
		folder = home // a relative path begins at the account's home
	}
	return &far{where: where, path: folder, gate: gate}, nil
}

// during runs a call of the other side, and says which kind an error of it is. When the connection
// is not usable any more it is let go.
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

// told is the error of a call, with its kind and its place.
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
	default: // the other side did not answer, or not in its protocol
		f.drop()
		err = fmt.Errorf("%w: the connection broke: %w", ErrUnreachable, err)
	}
	return fmt.Errorf("%s: %s: %w", f.where, what, err)
}

// drop lets go of the connection, whatever state it is in.
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

// maxListing is how many bytes of one listing are read: some 90,000 names of batches.
const maxListing = 16 << 20

// List implements Store. The library reads a folder to its end before it gives anything; so
// what is read of one is bounded, and of a folder with more the first part is
// given. What is brought away makes room for the rest.
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

// readAhead is how much is asked for at once. The library cuts it into packets that are all on the
// way together, so that a far host is not waited for at every 32 KiB.
const readAhead = 1 << 20

// readerOnly hides all other methods from bufio.
type readerOnly struct{ io.Reader }

// A farFile is an open file of the other side.
type farFile struct {
	far  *far
	link *link // on which it was opened
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

// Close implements io.Closer. The other side closes the file by itself when the connection has
// gone.
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
