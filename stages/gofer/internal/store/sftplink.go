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

// A gate has what is needed to connect to another machine: its address and the keys of both sides.
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

// A link is a connection for file requests.
type link struct {
	conn  *patient
	ssh   *ssh.Client
	files *sftp.Client
}

// close closes the connection without a request to the other side.
func (l *link) close() { l.conn.Close() }

// enter connects. It tries again if the connection breaks before either side has authenticated,
// because a busy sshd drops some simultaneous connections (MaxStartups).
func (g *gate) enter(ctx context.Context) (l *link, err error) {
	err = insist(ctx, g.timeout, func() (again bool, err error) {
		l, err = g.try(ctx)
		return errors.Is(err, errDropped), err
	})
	return l, err
}

// errDropped is an ErrUnreachable after which another try may succeed.
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

// shake authenticates both sides and prepares the connection for file requests.
func (l *link) shake(ctx context.Context, g *gate) error {
	proof, done, err := g.identity.prove(ctx, g.timeout)
	if err != nil {
		return err
	}
	defer done()
	var seen bool // the other side has presented its key
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
		return fmt.Errorf("%w: it lets %s in but has no sftp: its sshd needs a line `Subsystem sftp internal-sftp`:"+
			" %w", ErrRefused, g.user, err)
	}
	return nil
}

// explain wraps the error of a failed handshake, to say whether to wait or to act.
func (g *gate) explain(err error, seen bool) error {
	var algorithm *ssh.AlgorithmNegotiationError
	switch {
	case errors.Is(err, ErrRefused): // the check of the host's key
		return err
	case errors.As(err, &algorithm):
		return fmt.Errorf("%w: %w: %s", ErrRefused, err, g.hosts.pinned())
	case seen && !broke(err):
		return fmt.Errorf("%w: it does not let %s in with %s: add the public key to its authorized_keys there, or"+
			" find the reason in the log of its sshd: %w",
			ErrRefused, g.user, g.identity, err)
	case !seen && broke(err) && !errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%w: %w", errDropped, err)
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// broke reports whether err means that the connection broke.
func broke(err error) bool {
	var cut net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.As(err, &cut)
}
