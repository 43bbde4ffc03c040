package store

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
)

// told returns the error of a request with its kind, its place, and what to do.
func (b *Bucket) told(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	} else {
		err = b.explain(err)
	}
	return fmt.Errorf("%s: %s: %w", b.where(), what, err)
}

// explain wraps err with one of the three kinds of errors of a place, or returns it unchanged. Not
// all services use Amazon's error codes, so the status decides if there is one.
func (b *Bucket) explain(err error) error {
	var certificate *tls.CertificateVerificationError
	var answer *answerError
	var lost net.Error
	switch {
	case errors.As(err, &answer):
		return b.meaning(answer)
	case errors.As(err, &certificate):
		return fmt.Errorf("%w: unknown certificate authority: name the file of your own authority in AWS_CA_BUNDLE:"+
			" %w", ErrRefused, err)
	case errors.As(err, &lost), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return err
}

// meaning returns the error for an answer other than success.
func (b *Bucket) meaning(e *answerError) error {
	switch e.Code {
	case "NoSuchBucket":
		return fmt.Errorf("%w: there is no bucket %s: make it, or correct the URL", ErrRefused, b.bucket)
	case "NoSuchKey", "NotFound":
		return fs.ErrNotExist
	case "BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch", "ConditionalRequestConflict":
		return e // a temporary error
	case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed":
		return fmt.Errorf("%w: the bucket is in another region: add ?region=… to the URL: %w", ErrRefused, e)
	}
	switch {
	case e.later():
		return fmt.Errorf("%w: %w", ErrUnreachable, e)
	case e.Status == http.StatusPreconditionFailed:
		return fs.ErrExist
	}
	return fmt.Errorf("%w: %s: the service refuses this with these keys: check the bucket's policy, and which keys the"+
		" environment or the profile has: %w",
		ErrRefused, cmp.Or(e.Code, http.StatusText(e.Status)), e)
}
