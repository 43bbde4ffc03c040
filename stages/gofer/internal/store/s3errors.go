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

// told is the error of a request, with its kind, its place, and what to do.
func (b *Bucket) told(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	} else {
		err = b.explain(err)
	}
	return fmt.Errorf("%s: %s: %w", b.where(), what, err)
}

// explain tells the three errors of a place apart, and leaves all others as they are. The codes are
// those of Amazon's, which other services do not all use; so it is the status that decides where
// there is one.
func (b *Bucket) explain(err error) error {
	var certificate *tls.CertificateVerificationError
	var answer *answerError
	var lost net.Error
	switch {
	case errors.As(err, &answer):
		return b.meaning(answer)
	case errors.As(err, &certificate):
		return fmt.Errorf("%w: nobody vouches for the service: name the file of your own authority in AWS_CA_BUNDLE:"+
			" %w", ErrRefused, err)
	case errors.As(err, &lost), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return err
}

// meaning is what an answer that is no success says.
func (b *Bucket) meaning(e *answerError) error {
	switch e.Code {
	case "NoSuchBucket":
		return fmt.Errorf("%w: there is no bucket %s: make it, or correct the URL", ErrRefused, b.bucket)
	case "NoSuchKey", "NotFound":
		return fs.ErrNotExist
	case "BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch", "ConditionalRequestConflict":
		return e // of this moment
	case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed":
		return fmt.Errorf("%w: the bucket is of another region: write ?region=… behind the URL: %w", ErrRefused, e)
	}
	switch {
	case e.later():
		return fmt.Errorf("%w: %w", ErrUnreachable, e)
	case e.Status == http.StatusPreconditionFailed:
		return fs.ErrExist
	}
	return fmt.Errorf("%w: %s: with these keys it does not do so: see the bucket's policy, and which keys the"+
		" environment or the profile gives: %w",
		ErrRefused, cmp.Or(e.Code, http.StatusText(e.Status)), e)
}
