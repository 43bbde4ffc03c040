package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// A bucket is a place in an S3 service: the keys below a prefix.
//
//	s3://crawl/c4/to/world/from/arts/?region=eu-central-1
//	s3://crawl/to/world/from/arts/?endpoint=https://s3.example.org:9000
//
// Who may read and write is the environment's to say (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE
// and ~/.aws/credentials), and so is a certificate authority of one's own (AWS_CA_BUNDLE).
type bucket struct {
	*s3URL
	api    *s3.Client
	client *http.Client
}

func newBucket(ctx context.Context, u *url.URL, o Options) (*bucket, error) {
	place, err := parseS3(u)
	if err != nil {
		return nil, err
	}
	b := &bucket{s3URL: place}
	refused := func(what string, err error) (*bucket, error) {
		return nil, fmt.Errorf("place %s: %w: %s: %v", b.where(), ErrRefused, what, err)
	}
	buildable := awshttp.NewBuildableClient().WithTransportOptions(o.patience)
	cfg, err := config.LoadDefaultConfig(ctx,
		config.WithHTTPClient(buildable),                         // to which the loader adds AWS_CA_BUNDLE
		config.WithEC2IMDSClientEnableState(imds.ClientDisabled)) // it would be asked on machines that have none
	if err != nil {
		return refused("the environment or the profile cannot be used", err)
	}
	if place.region != "" {
		cfg.Region = place.region
	}
	if cfg.Region == "" && place.endpoint == "" {
		return refused("in which region?", errors.New("write ?region=… behind it, or set AWS_REGION"))
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return refused("there are no keys to sign with: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", err)
	}
	b.client = cfg.HTTPClient.(*awshttp.BuildableClient).Freeze().(*http.Client)
	b.api = s3.NewFromConfig(cfg, func(s *s3.Options) { b.configure(s, o) })
	return b, nil
}

// patience gives a transport connections that do not wait for ever.
func (o Options) patience(t *http.Transport) {
	dialer := net.Dialer{Timeout: o.timeout()}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		tcp, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		conn := &patient{Conn: tcp, timeout: o.timeout()}
		conn.wait(true) // always: an idle one that closes is made anew when it is needed
		return conn, nil
	}
}

func (b *bucket) configure(s *s3.Options, o Options) {
	if b.endpoint != "" {
		s.BaseEndpoint = aws.String(b.endpoint)
		s.UsePathStyle = true // HOST/BUCKET: BUCKET.HOST would need a name and a certificate for each
		if s.Region == "" {
			s.Region = "us-east-1" // services that have none take this one
		}
	}
	// What is signed is hashed already, and batches have their hash in the name. Not all services know
	// the newer checksums.
	s.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
	s.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
	s.DisableLogOutputChecksumValidationSkipped = true
	s.HTTPClient = frugal{b.client}
	s.Retryer = retry.NewStandard(func(r *retry.StandardOptions) { r.MaxBackoff = min(retry.DefaultMaxBackoff, o.timeout()/10) })
}

// maxAnswer is how much is read of an answer that is no batch: a page of a listing, an error.
const maxAnswer = 4 << 20

// frugal is a client that does not read answers for ever.
type frugal struct{ *http.Client }

// Do implements s3.HTTPClient in place of the client's own.
func (f frugal) Do(r *http.Request) (*http.Response, error) {
	answer, err := f.Client.Do(r)
	if err == nil && (answer.StatusCode >= 300 || r.URL.Query().Has("list-type")) {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	}
	return answer, err
}

// List implements Store: one request for a thousand names.
func (b *bucket) List(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		pages := s3.NewListObjectsV2Paginator(b.api, &s3.ListObjectsV2Input{
			Bucket:    aws.String(b.bucket),
			Prefix:    aws.String(b.prefix),
			Delimiter: aws.String("/"),
		}, func(o *s3.ListObjectsV2PaginatorOptions) { o.StopOnDuplicateToken = true })
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(Entry{}, b.told(ctx, "list", err))
				return
			}
			if page.Name == nil {
				yield(Entry{}, fmt.Errorf("%s: list: %w: what answers there is no S3 service", b.where(), ErrRefused))
				return
			}
			for _, object := range page.Contents {
				name, ok := strings.CutPrefix(aws.ToString(object.Key), b.prefix)
				if ok && CheckName(name) == nil && !yield(Entry{name, aws.ToInt64(object.Size)}, nil) {
					return
				}
			}
		}
	}
}

// Open implements Store.
func (b *bucket) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	object, err := b.api.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(b.bucket), Key: aws.String(b.prefix + name)})
	if err != nil {
		return nil, b.told(ctx, "open "+name, err)
	}
	return &body{object.Body, func(err error) error { return b.told(ctx, "read "+name, err) }}, nil
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

// Put implements Store. The service itself makes an object whole or not at all, and, asked to
// (If-None-Match), not in the place of another. One that does not know the question replaces the
// object; as the name holds the hash, by the same bytes.
func (b *bucket) Put(ctx context.Context, name string, src io.ReadSeeker, size int64) error {
	err := CheckName(name)
	if err == nil {
		err = checkSize(src, size)
	}
	if err != nil {
		return err
	}
	_, err = b.api.PutObject(ctx, &s3.PutObjectInput{
		Bucket:        aws.String(b.bucket),
		Key:           aws.String(b.prefix + name),
		Body:          src,
		ContentLength: aws.Int64(size),
		IfNoneMatch:   aws.String("*"),
	})
	return b.told(ctx, "put "+name, err)
}

// checkSize fails unless src has size bytes more: the service would take the first ones as the whole.
func checkSize(src io.Seeker, size int64) error {
	at, err := src.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	end, err := src.Seek(0, io.SeekEnd)
	if err == nil && end-at != size {
		err = fmt.Errorf("put: the source has %d bytes, not the %d that were said", end-at, size)
	}
	_, back := src.Seek(at, io.SeekStart)
	return errors.Join(err, back)
}

// Remove implements Store.
func (b *bucket) Remove(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	_, err := b.api.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String(b.bucket), Key: aws.String(b.prefix + name)})
	if err = b.told(ctx, "remove "+name, err); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Close implements Store.
func (b *bucket) Close() error {
	b.client.CloseIdleConnections()
	return nil
}
