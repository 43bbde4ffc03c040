// Package store is where one node holds batches for another: a folder of this machine, of another
// one, or a bucket. A [Store] is the seam between gofer and what moves the bytes; each transport is
// one implementation, and package storetest holds all of them to what is promised here.
//
//	file:crawl/arts/outgoing/world      a folder; file:///srv/crawl/arts/outgoing/world too
//	sftp://user@host:22/srv/…           a folder behind OpenSSH
//	s3://bucket/prefix/?region=…        a bucket of any S3 service
//
// A folder of this machine may lie behind links, but is none itself that leads out of the one
// around it.
//
// A URL never holds a secret: Open refuses one with a password in it.
//
// # What a transport promises
//
// Only a bucket takes batches, by Bucket.Put. What lies in a folder was left there by its owner's
// manager: whole under its name, or under one that begins with a dot.
//
// Names come from other machines and are taken for hostile. CheckName says which are let through;
// List passes over all others without a word, and every other method refuses them before it does
// anything.
//
// Errors tell three things apart, by errors.Is:
//
//	fs.ErrNotExist   the name, or the whole place, is not there; never a file of ours, as a key
//	ErrUnreachable   the other machine does not answer; later it may
//	ErrRefused       it answers and does not let us in: a key, a right, a bucket; somebody must act
//
// Any other error is one of this name or this moment. No method hangs for ever: each ends soon
// after its context does, and a transport to another machine bounds the time in which no byte
// comes.
//
// A Store is used by one goroutine at a time, and what Open gave is closed before the next call.
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

// A Store is one place that holds batches.
type Store interface {
	// List gives the names that are there, each once, in any order, with their sizes. Names that
	// CheckName refuses, and what is no file, are passed over. Only a page of them is held in
	// memory, so a place may hold any number; the caller may break off. A name that comes or goes
	// meanwhile may be among them or not. An error is the last thing that is given.
	List(ctx context.Context) iter.Seq2[Entry, error]

	// Open gives the bytes of a name from the beginning. They may be fewer than List said, or more:
	// the caller bounds what it reads.
	Open(ctx context.Context, name string) (io.ReadCloser, error)

	// Remove removes a name. That it is gone already is no error. A power cut may bring it back.
	Remove(ctx context.Context, name string) error

	// Close ends what connects to the place.
	Close() error
}

// An Entry is one name of a listing.
type Entry struct {
	Name string
	Size int64 // bytes, as the place has it
}

// What keeps a place from being used. Errors wrap one of them.
var (
	ErrUnreachable = errors.New("unreachable")
	ErrRefused     = errors.New("refused")
)

// MaxName is the bound on a name's length in bytes.
const MaxName = 200

// CheckName tells why a name cannot be one of a batch: names have 1 to MaxName of a to z, 0 to 9,
// '.', '_' and '-', and begin with a letter or a digit.
func CheckName(name string) error {
	if name == "" || len(name) > MaxName {
		return fmt.Errorf("name of %d bytes: want 1 to %d", len(name), MaxName)
	}
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || i > 0 && (c == '.' || c == '_' || c == '-') {
			continue
		}
		return fmt.Errorf("name %q: byte %d is %q, want a to z, 0 to 9, and behind the first also . _ -", name, i+1, c)
	}
	return nil
}

// Options are what the URL of a place does not say.
type Options struct {
	Identity   string        // sftp: file of the private key; "" is the agent
	KnownHosts string        // sftp: file of the keys of known hosts
	Timeout    time.Duration // bound on the time in which no byte comes from another machine; 0 is a minute
}

// Open gives the place at rawURL. It reads nothing yet of a folder of this machine; to another
// machine it may connect, with the errors of any method.
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

// OpenBucket is Open of a place that takes batches, s3://….
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
		// The error would show all of the URL.
		return nil, errors.New("a place's URL cannot be parsed: want file:…, sftp://… or s3://…")
	}
	if _, has := u.User.Password(); has {
		return nil, fmt.Errorf("place %s: a password in a URL is refused: scripts, logs and process lists show it",
			u.Redacted())
	}
	return u, nil
}
