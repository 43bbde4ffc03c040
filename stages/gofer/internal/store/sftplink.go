package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// A gate is the way into another machine: its address, and what proves who is who.
type gate struct {
	address  string // host:port
	user     string
	hosts    *hostKeys
	identity *identity
	timeout  time.Duration
}

func newGate(u *url.URL, o Options) (*gate, error) {
	port := u.Port()
	if port == "" {
		port = "22"
	}
	g := &gate{address: net.JoinHostPort(u.Hostname(), port), user: u.User.Username(), timeout: o.timeout()}
	var err error
	if g.hosts, err = readHostKeys(o.KnownHosts, g.address); err != nil {
		return nil, err
	}
	g.identity, err = readIdentity(o.Identity)
	return g, err
}

// A link is a connection on which files are asked for.
type link struct {
	conn  *patient
	ssh   *ssh.Client
	files *sftp.Client
}

// close ends the connection without asking the other side.
func (l *link) close() { l.conn.Close() }

// enter connects, again if the connection breaks before either side has said who it is: a busy
// sshd drops some of those that come at once (MaxStartups).
func (g *gate) enter(ctx context.Context) (l *link, err error) {
	err = insist(ctx, g.timeout, func() (again bool, err error) {
		l, err = g.try(ctx)
		return errors.Is(err, errDropped), err
	})
	return l, err
}

// errDropped is an unreachable that another try may end.
var errDropped = fmt.Errorf("%w: it closed the connection at once; if it does so often, raise MaxStartups there",
	ErrUnreachable)

func (g *gate) try(ctx context.Context) (*link, error) {
	dialer := net.Dialer{Timeout: g.timeout}
	tcp, err := dialer.DialContext(ctx, "tcp", g.address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	l := &link{conn: &patient{Conn: tcp, timeout: g.timeout}}
	done := l.conn.await(ctx)
	err = l.shake(ctx, g)
	done()
	if err == nil {
		return l, nil
	}
	l.close()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return nil, err
}

// shake makes of a connection one that files are asked for on: each side proves who it is.
func (l *link) shake(ctx context.Context, g *gate) error {
	proof, done, err := g.identity.prove(ctx, g.timeout)
	if err != nil {
		return err
	}
	defer done()
	var seen bool // the other side's key
	conn, channels, requests, err := ssh.NewClientConn(l.conn, g.address, &ssh.ClientConfig{
		User: g.user,
		Auth: []ssh.AuthMethod{proof},
		HostKeyCallback: func(host string, remote net.Addr, key ssh.PublicKey) error {
			seen = true
			return g.hosts.check(host, remote, key)
		},
		HostKeyAlgorithms: g.hosts.algorithms,
	})
	if err != nil {
		return g.explain(err, seen)
	}
	l.ssh = ssh.NewClient(conn, channels, requests)
	if l.files, err = sftp.NewClient(l.ssh); err != nil {
		return fmt.Errorf("%w: it lets %s in but gives no files: its sshd wants a line `Subsystem sftp internal-sftp`:"+
			" %w", ErrRefused, g.user, err)
	}
	return nil
}

// explain says what a handshake that failed needs: patience, or somebody to act.
func (g *gate) explain(err error, seen bool) error {
	var algorithm *ssh.AlgorithmNegotiationError
	switch {
	case errors.Is(err, ErrRefused): // the check of the host's key
		return err
	case errors.As(err, &algorithm):
		return fmt.Errorf("%w: %w: %s", ErrRefused, err, g.hosts.pinned())
	case seen && !broke(err):
		return fmt.Errorf("%w: it does not let %s in with %s: put the public key into its authorized_keys there, or"+
			" see why in its sshd's log: %w",
			ErrRefused, g.user, g.identity, err)
	case !seen && broke(err) && !errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%w: %w", errDropped, err)
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// broke tells that the connection ended, and not what was said on it.
func broke(err error) bool {
	var cut net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.As(err, &cut)
}
