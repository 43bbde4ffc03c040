package exchange

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"multitext/stages/internal/traffic/dial"
)

// The reasons of an Error: why there is no answer. They are names fit for a report.
const (
	PrivateAddress = "private-address"    // the address may not be connected to
	Refused        = "connection-refused" // nobody listens there
	Unreachable    = "unreachable"        // no route to the address
	ConnectTimeout = "connect-timeout"
	ConnectFailed  = "connect-failed"  // any other failure to connect
	Certificate    = "tls-certificate" // the certificate is not valid for the host
	TLSTimeout     = "tls-timeout"
	TLSFailed      = "tls-failed" // any other failure of the handshake
	Reset          = "reset"      // the connection broke before the head was there
	NoAnswer       = "no-answer"  // the connection was closed without one
	HeadTimeout    = "head-timeout"
	HeadTooLong    = "head-too-long"
	NotHTTP        = "not-http" // what came is no answer in the HTTP that was agreed on
)

// An Error says why a request has no answer.
type Error struct {
	Reason string // one of the constants
	// Sent reports whether the host was reached and the request sent. If not, the next request to
	// the host would fare no better.
	Sent bool
	Err  error

	silent bool // nothing shows that the server has seen the request
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Reason, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// connectError names a failure to connect, unless the server is not to blame: no more files may be
// open here, and a connection is one.
func connectError(err error) error {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return err
	}
	reason := ConnectFailed
	switch {
	case errors.Is(err, dial.ErrPrivate), errors.Is(err, dial.ErrPort):
		reason = PrivateAddress
	case errors.Is(err, syscall.ECONNREFUSED):
		reason = Refused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		reason = Unreachable
	case isTimeout(err):
		reason = ConnectTimeout
	}
	return &Error{Reason: reason, Err: err}
}

// tlsError names a failure of the TLS handshake.
func tlsError(err error) error {
	var cert *tls.CertificateVerificationError
	reason := TLSFailed
	switch {
	case errors.As(err, &cert):
		reason = Certificate
	case isTimeout(err):
		reason = TLSTimeout
	}
	return &Error{Reason: reason, Err: err}
}

// headError names a failure between the request and the end of the head. got bytes of the head had
// come.
func headError(err error, got int) error {
	e := &Error{Reason: Reset, Sent: true, Err: err, silent: got == 0}
	switch {
	case errors.Is(err, errHeadTooLong):
		e.Reason = HeadTooLong
	case errors.Is(err, errNotHTTP):
		e.Reason = NotHTTP
	case isTimeout(err):
		e.Reason = HeadTimeout
	case errors.Is(err, io.EOF) && got == 0:
		e.Reason = NoAnswer
	}
	return e
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}
