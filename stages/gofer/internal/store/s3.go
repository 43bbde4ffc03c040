package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// A Bucket is a place in an S3 service: the keys below a prefix. It needs four kinds of S3
// requests, which this package makes itself. minio-go signs them and finds the access keys.
//
//	s3://crawl/c4/to/world/from/arts/?region=eu-central-1
//	s3://crawl/to/world/from/arts/?endpoint=https://s3.example.org:9000
//
// The environment supplies the access keys (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or
// AWS_PROFILE and ~/.aws/credentials) and, if needed, a private certificate authority
// (AWS_CA_BUNDLE).
type Bucket struct {
	*s3URL
	service
}

func newBucket(ctx context.Context, u *url.URL, o Options) (*Bucket, error) {
	place, err := parseS3(u)
	if err != nil {
		return nil, err
	}
	b := &Bucket{s3URL: place}
	if b.service, err = newService(ctx, place, o); err != nil {
		return nil, fmt.Errorf("place %s: %w: %w", b.where(), ErrRefused, err)
	}
	return b, nil
}

// A listing is a page of an S3 listing, with the fields that are used.
type listing struct {
	XMLName  xml.Name `xml:"ListBucketResult"`
	Contents []struct {
		Key  string
		Size int64
	}
	IsTruncated           bool
	NextContinuationToken string
}

// List implements Store. It makes one request for a thousand names. If a service offers the page
// that it has just returned as the next one, the listing ends.
func (b *Bucket) List(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		query := url.Values{"list-type": {"2"}, "prefix": {b.prefix}, "delimiter": {"/"}}
		for {
			page, err := b.page(ctx, query)
			if err != nil {
				yield(Entry{}, b.told(ctx, "list", err))
				return
			}
			for _, object := range page.Contents {
				name, ok := strings.CutPrefix(object.Key, b.prefix)
				if ok && CheckName(name) == nil && !yield(Entry{name, object.Size}, nil) {
					return
				}
			}
			next := page.NextContinuationToken
			if !page.IsTruncated || next == "" || next == query.Get("continuation-token") {
				return
			}
			query.Set("continuation-token", next)
		}
	}
}

// maxAnswer is the number of bytes that are read of an answer other than a batch: a page of a
// listing, or an error.
const maxAnswer = 4 << 20

func (b *Bucket) page(ctx context.Context, query url.Values) (*listing, error) {
	answer, err := b.ask(ctx, request{method: http.MethodGet, query: query})
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var page listing
	err = xml.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(&page)
	var syntax *xml.SyntaxError
	var other xml.UnmarshalError
	switch {
	case errors.As(err, &other), errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: the server is not an S3 service", ErrRefused)
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%w: its answer cannot be parsed: %w", ErrUnreachable, err)
	}
	return &page, err
}

// Open implements Store.
func (b *Bucket) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	answer, err := b.at(ctx, request{method: http.MethodGet, name: name})
	if err != nil {
		return nil, b.told(ctx, "open "+name, err)
	}
	return &body{answer.Body, func(err error) error { return b.told(ctx, "read "+name, err) }}, nil
}

// A body reads an object. It wraps errors with their kind.
type body struct {
	io.ReadCloser
	told func(error) error
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = b.told(err)
	}
	return n, err
}

// Put writes src, which has size bytes, under a new name. If it returns nil, the name exists and is
// complete. If the name existed before, the error wraps fs.ErrExist, and nothing has changed: if
// several Puts use one name, one succeeds. After any other error the name is either complete or
// absent.
//
// The service writes objects atomically, and with If-None-Match it does not replace an object. A
// service that does not know this header replaces the object with the same bytes, because the name
// contains their hash.
func (b *Bucket) Put(ctx context.Context, name string, src io.ReadSeeker, size int64) error {
	sum, err := sumOf(src, size)
	if err != nil {
		return err
	}
	answer, err := b.at(ctx, request{method: http.MethodPut, name: name, body: src, size: size, sum: sum})
	if err != nil {
		return b.told(ctx, "put "+name, err)
	}
	return answer.Body.Close()
}

// sumOf returns the SHA-256 of src. It returns an error if src does not have size bytes, because
// the service would store a part as the whole.
func sumOf(src io.ReadSeeker, size int64) (string, error) {
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	hash := sha256.New()
	n, err := io.Copy(hash, src)
	if err == nil && n != size {
		err = fmt.Errorf("put: the source has %d bytes, want %d", n, size)
	}
	return hex.EncodeToString(hash.Sum(nil)), err
}

// Remove implements Store.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	answer, err := b.at(ctx, request{method: http.MethodDelete, name: name})
	if err == nil {
		return answer.Body.Close()
	}
	if err = b.told(ctx, "remove "+name, err); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// at makes a request for a name below the prefix.
func (b *Bucket) at(ctx context.Context, r request) (*http.Response, error) {
	if err := CheckName(r.name); err != nil {
		return nil, err
	}
	r.name = b.prefix + r.name
	return b.ask(ctx, r)
}

// Close implements Store.
func (b *Bucket) Close() error {
	b.client.CloseIdleConnections()
	return nil
}
