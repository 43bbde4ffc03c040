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

// A Bucket is a place in an S3 service: the keys below a prefix. It needs four requests of S3,
// which are made here; what signs them and finds the keys is minio-go's.
//
//	s3://crawl/c4/to/world/from/arts/?region=eu-central-1
//	s3://crawl/to/world/from/arts/?endpoint=https://s3.example.org:9000
//
// Who may read and write is the environment's to say (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,
// or AWS_PROFILE and ~/.aws/credentials), and so is a certificate authority of one's own
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

// A listing is an answer to List; of what it may hold this is used.
type listing struct {
	XMLName  xml.Name `xml:"ListBucketResult"`
	Contents []struct {
		Key  string
		Size int64
	}
	IsTruncated           bool
	NextContinuationToken string
}

// List implements Store: one request for a thousand names. A service that goes on with the page it
// has just given is at its end.
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

// maxAnswer is how much is read of an answer that is no batch: a page of a listing, an error.
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
		return nil, fmt.Errorf("%w: what answers there is no S3 service", ErrRefused)
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%w: its answer cannot be read: %w", ErrUnreachable, err)
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

// A body says which kind an error of reading is.
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

// Put writes src, which has size bytes, under a name that is not there yet. When it returns nil the
// name is there, whole. When the name was there already the error wraps fs.ErrExist, and nothing
// has changed: of several Puts of one name one wins. After any other error the name is there whole
// or not at all.
//
// The service itself makes an object whole or not at all, and, asked to (If-None-Match), not in the
// place of another. One that does not know the question replaces the object; as the name holds the
// hash, by the same bytes.
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

// sumOf gives the SHA-256 of src. It fails if src has not size bytes: the service would take the
// first ones as the whole.
func sumOf(src io.ReadSeeker, size int64) (string, error) {
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	hash := sha256.New()
	n, err := io.Copy(hash, src)
	if err == nil && n != size {
		err = fmt.Errorf("put: the source has %d bytes, not the %d that were said", n, size)
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

// at asks for a name below the prefix.
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
