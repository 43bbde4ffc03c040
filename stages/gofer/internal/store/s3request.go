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

// A service is an S3 service with one bucket.
type service struct {
	base    string // URL of the bucket
	region  string
	keys    *credentials.Credentials
	client  *http.Client
	timeout time.Duration
}

// A request is a request for a key of the bucket, or, without a name, for the bucket itself.
type request struct {
	method, name string
	query        url.Values
	body         io.ReadSeeker // nil: none
	size         int64         // size of the body
	sum          string        // SHA-256 of the body
}

// emptySum is the SHA-256 of the empty string.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// ask makes a request, and repeats it if the service cannot be reached or is busy. The returned
// answer has a success status.
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
		return nil, fmt.Errorf("%w: get the keys for signing: %w", ErrRefused, err)
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

// An answerError is the error in a service's answer.
type answerError struct {
	Status  int `xml:"-"`
	Code    string
	Message string
}

func (e *answerError) Error() string {
	return fmt.Sprintf("status %d: %s: %s", e.Status, e.Code, e.Message)
}

// refusal returns the error in an answer of the service.
func refusal(answer *http.Response) error {
	defer answer.Body.Close()
	e := &answerError{}
	xml.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(e) // a proxy may answer without XML
	e.Status = answer.StatusCode
	return e
}

// busy reports whether another try may succeed.
func busy(err error) bool {
	var answer *answerError
	if errors.As(err, &answer) {
		return answer.later()
	}
	var certificate *tls.CertificateVerificationError
	var lost net.Error
	return errors.As(err, &lost) && !errors.As(err, &certificate)
}

// later reports whether the service asks to try again later.
func (e *answerError) later() bool {
	return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests ||
		e.Status >= 500 && e.Status != http.StatusNotImplemented || e.Code == "RequestTimeout"
}
