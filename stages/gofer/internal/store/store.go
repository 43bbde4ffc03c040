// Package store gives access to the places where one node holds batches for another: a folder of
// this machine, a folder of another machine, or a bucket. A [Store] hides from gofer how bytes are
// moved. Each transport is one implementation, and package storetest checks that all of them keep
// the promises below.
//
//	file:crawl/arts/outgoing/world      a folder; file:///srv/crawl/arts/outgoing/world too
//	sftp://user@host:22/srv/…           a folder behind OpenSSH
//	s3://bucket/prefix/?region=…        a bucket of any S3 service
//
// The path of a folder of this machine may contain links. But the folder itself must not be a link
// out of its parent.
//
// A URL never contains a secret: Open rejects a URL with a password.
//
// # What a transport promises
//
// Only buckets accept batches, by Bucket.Put. Files in a folder are written by the manager of its
// owner. A file is complete under its name; incomplete files have names that begin with a dot.
//
// Names come from other machines and may be hostile. CheckName defines which names are allowed.
// List silently skips all other names, and every other method rejects them before it does anything.
//
// There are three kinds of errors, for errors.Is:
//
//	fs.ErrNotExist   the name or the whole place does not exist; never for a local file, as a key
//	ErrUnreachable   the other machine does not answer; it may answer later
//	ErrRefused       it denies access: a key, a right or a bucket is wrong; a person must act
//
// Any other error concerns only this name or is temporary. No method hangs for ever: each method
// returns soon after its context is done, and a transport to another machine has a timeout for
// silence.
//
// A Store must be used by one goroutine at a time. Close the reader that Open returned before the
// next call.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"time"
)

// A Store is a place that holds batches.
type Store interface {
	// List returns the existing names with their sizes, each once, in any order. It skips names
	// that CheckName rejects, and everything that is not a file. It keeps only one page of names in
	// memory, so a place may have any number. The caller may stop early. Names that are added or
	// removed meanwhile may be listed or not. After an error the sequence ends.
	List(ctx context.Context) iter.Seq2[Entry, error]

	// Open returns a reader for the bytes of a name. There may be fewer or more bytes than List
	// said, so the caller must limit what it reads.
	Open(ctx context.Context, name string) (io.ReadCloser, error)

	// Remove removes a name. It is not an error if the name does not exist. After a power cut the
	// name may exist again.
	Remove(ctx context.Context, name string) error

	// Close closes the connection to the place.
	Close() error
}

// An Entry is a name in a listing.
type Entry struct {
	Name string
	Size int64 // size in bytes, as listed
}

// Errors that prevent the use of a place. Errors of methods wrap one of them.
var (
	ErrUnreachable = errors.New("unreachable")
	ErrRefused     = errors.New("refused")
)

// MaxName is the maximum length of a name, in bytes.
const MaxName = 200

// CheckName returns an error if a name cannot be that of a batch. A name has 1 to MaxName
// characters: a to z, 0 to 9, '.', '_' and '-'. It begins with a letter or a digit.
func CheckName(name string) error {
	if name == "" || len(name) > MaxName {
		return fmt.Errorf("name of %d bytes: want 1 to %d", len(name), MaxName)
	}
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || i > 0 && (c == '.' || c == '_' || c == '-') {
			continue
		}
		return fmt.Errorf("name %q: byte %d is %q, want a to z, 0 to 9, and after the first also . _ -", name, i+1, c)
	}
	return nil
}

// Options has the parameters that are not in the URL of a place.
type Options struct {
	Identity   string        // sftp: file with the private key; "" means the agent
	KnownHosts string        // sftp: file with the keys of known hosts
	Timeout    time.Duration // timeout for silence of another machine; 0 means a minute
}

// Open returns the place at rawURL. It does not read a folder of this machine. It may connect to
// another machine, and then returns the same kinds of errors as a method.
func Open(ctx context.Context, rawURL string, o Options) (Store, error) {
	u, err := parse(rawURL)
	if err != nil {
		return nil, err
	}
	switch u.Scheme {
	case "file":
		return newFolder(u)
	case "sftp":
		return newFar(u, o)
	case "s3":
		return newBucket(ctx, u, o)
	}
	return nil, fmt.Errorf("place %s: want file:…, sftp://… or s3://…", u.Redacted())
}

// OpenBucket is like Open for s3://…, the places that accept batches.
func OpenBucket(ctx context.Context, rawURL string, o Options) (*Bucket, error) {
	u, err := parse(rawURL)
	if err == nil && u.Scheme != "s3" {
		err = fmt.Errorf("place %s: want s3://…", u.Redacted())
	}
	if err != nil {
		return nil, err
	}
	return newBucket(ctx, u, o)
}

func parse(rawURL string) (*url.URL, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		// The error of url.Parse would show the whole URL.
		return nil, errors.New("a place's URL cannot be parsed: want file:…, sftp://… or s3://…")
	}
	if _, has := u.User.Password(); has {
		return nil, fmt.Errorf("place %s: remove the password from the URL: scripts, logs and process lists show it",
			u.Redacted())
	}
	return u, nil
}
