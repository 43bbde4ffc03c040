package store

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
)

// told is the error of a request, with its kind, its place, and what to do.
func (b *bucket) told(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %s: %w", b.where(), what, ctx.Err())
	}
	return fmt.Errorf("%s: %s: %w", b.where(), what, b.kind(err))
}

// kind tells the three kinds apart, and leaves all else as it is. The codes are those of Amazon's, which other
// services do not all use; so it is the status that decides where there is one.
func (b *bucket) kind(err error) error {
	var api smithy.APIError
	var answer *awshttp.ResponseError
	var certificate *tls.CertificateVerificationError
	code, status := "", 0
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	if errors.As(err, &answer) {
		status = answer.HTTPStatusCode()
	}
	switch code {
	case "NoSuchBucket":
		return fmt.Errorf("%w: there is no bucket %s: make it, or correct the URL", ErrRefused, b.bucket)
	case "NoSuchKey", "NotFound":
		return fs.ErrNotExist
	case "PreconditionFailed":
		return fs.ErrExist
	case "RequestTimeout":
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	case "BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch", "ConditionalRequestConflict":
		return err // of this moment
	case "PermanentRedirect", "AuthorizationHeaderMalformed":
		return fmt.Errorf("%w: the bucket is of another region: write ?region=… behind the URL: %w", ErrRefused, err)
	}
	switch {
	case errors.As(err, &certificate):
		return fmt.Errorf("%w: nobody vouches for the service: name the file of your own authority in AWS_CA_BUNDLE: %w", ErrRefused, err)
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500 && status != http.StatusNotImplemented, status == 0:
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	case status == http.StatusPreconditionFailed:
		return fs.ErrExist
	case status >= 300:
		return fmt.Errorf("%w: %s: with these keys it does not do so: see the bucket's policy, and which keys the environment or the profile gives: %w",
			ErrRefused, cmp.Or(code, http.StatusText(status)), err)
	}
	return err
}
