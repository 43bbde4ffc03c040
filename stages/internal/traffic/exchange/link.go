package exchange

import (
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// A link is a connection to a server.
type link struct {
	conn      net.Conn
	remote    netip.AddrPort
	addrs     []netip.AddrPort // of the request that it was opened for
	protocols []string         // of Answer
	parked    time.Time        // when it became idle
}

// expire makes running and later reads and writes fail with a timeout. Any goroutine may call it.
func (l *link) expire() { l.conn.SetDeadline(time.Unix(1, 0)) }

// hasMore reports whether unread bytes have arrived, or the connection has ended. Such a kept
// connection must not be used again, because these bytes would be taken for the next answer, for
// example the 408 that some servers send before they close. hasMore does not block.
func (l *link) hasMore() bool {
	conn := l.conn
	secure, overTLS := conn.(*tls.Conn)
	if overTLS {
		conn = secure.NetConn()
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return true
	}
	more := true
	raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		more = err != syscall.EAGAIN
	})
	return more || overTLS && hasMoreOfRecord(secure)
}

// hasMoreOfRecord reports whether TLS has bytes that it took from the system and has not given out:
// a record is taken whole, and read in pieces. It is asked for one after a deadline, when the
// system gives it nothing.
func hasMoreOfRecord(secure *tls.Conn) bool {
	secure.SetReadDeadline(time.Unix(1, 0))
	defer secure.SetReadDeadline(time.Time{})
	var one [1]byte
	_, err := secure.Read(one[:])
	return !errors.Is(err, os.ErrDeadlineExceeded)
}
