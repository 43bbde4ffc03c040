package store

import (
	"context"
	"crypto/tls"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"
)

// A service is an S3 service, as one bucket of it is asked.
type service struct {
	base    string // URL of the bucket
	region  string
	keys    *credentials.Credentials
	client  *http.Client
	timeout time.Duration
}

// A request is one for a key of the bucket, or, without a name, for the bucket.
type request struct {
	method, name string
	query        url.Values
	body         io.ReadSeeker // nil: none
	size         int64         // of the body
	sum          string        // its SHA-256
}

// emptySum is the SHA-256 of no bytes.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// ask makes a request, again if the service cannot be reached or is busy. An answer is one of
// success.
func (s *service) ask(ctx context.Context, r request) (answer *http.Response, err error) {
	err = insist(ctx, s.timeout, func() (again bool, err error) {
		if r.body != nil {
			if _, err := r.body.Seek(0, io.SeekStart); err != nil {
				return false, err
			}
		}
		answer, err = s.try(ctx, r)
		return busy(err), err
	})
	return answer, err
}

func (s *service) try(ctx context.Context, r request) (*http.Response, error) {
	keys, err := s.keys.GetWithContext(&credentials.CredContext{Client: s.client, Context: ctx})
	if err != nil {
		return nil, fmt.Errorf("%w: the keys to sign with: %w", ErrRefused, err)
	}
	asked, err := http.NewRequestWithContext(ctx, r.method, s.base+"/"+r.name, nil)
	if err != nil {
		return nil, err
	}
	asked.URL.RawQuery = r.query.Encode()
	sum := emptySum
	if r.body != nil {
		sum = r.sum
		asked.Header.Set("If-None-Match", "*")
		if asked.ContentLength = r.size; r.size > 0 {
			asked.Body = io.NopCloser(r.body)
		}
	}
	asked.Header.Set("X-Amz-Content-Sha256", sum)
	asked = signer.SignV4(*asked, keys.AccessKeyID, keys.SecretAccessKey, keys.SessionToken, s.region)
	answer, err := s.client.Do(asked)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 300 {
		return nil, refusal(answer)
	}
	return answer, nil
}

// A answerError is what a service says instead of doing what was asked.
type answerError struct {
	Status  int `xml:"-"`
	Code    string
	Message string
}

func (e *answerError) Error() string {
	return fmt.Sprintf("status %d: %s: %s", e.Status, e.Code, e.Message)
}

// refusal reads the answer of a service that does not do what was asked.
func refusal(answer *http.Response) error {
	defer answer.Body.Close()
	e := &answerError{}
	xml.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(e) // a proxy answers otherwise
	e.Status = answer.StatusCode
	return e
}

// busy tells whether another try may do better.
func busy(err error) bool {
	var answer *answerError
	if errors.As(err, &answer) {
		return answer.later()
	}
	var certificate *tls.CertificateVerificationError
	var lost net.Error
	return errors.As(err, &lost) && !errors.As(err, &certificate)
}

// later tells whether the service says that it would do it at another time.
func (e *answerError) later() bool {
	return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests ||
		e.Status >= 500 && e.Status != http.StatusNotImplemented || e.Code == "RequestTimeout"
}
