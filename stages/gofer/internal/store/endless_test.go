package store

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/pkg/sftp"
)

// A folder whose listing never ends gives its first part, and the connection is good for more.
func TestSFTPEndlessListing(t *testing.T) {
	s := &endless{}
	l := answered(t, s.answer)
	place := &far{where: "sftp://x", path: "/x", link: l}
	n := 0
	for _, err := range place.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n < 10_000 {
		t.Errorf("%d names are listed", n)
	}
	if err := place.Remove(t.Context(), "name"); err != nil || place.link != l {
		t.Errorf("afterwards: %v; the same connection: %v", err, place.link == l)
	}
	if s.sent > 2*maxListing {
		t.Fatalf("%d bytes were read", s.sent)
	}
	place.Close()
}

// answered is a link to a server that gives each request its answer, and hangs up where there is
// none.
func answered(t *testing.T, answer func(request []byte) []byte) *link {
	t.Helper()
	ours, theirs := net.Pipe()
	go serveSFTP(theirs, answer)
	conn := &patient{Conn: ours, timeout: time.Minute}
	files, err := sftp.NewClientPipe(conn, conn)
	if err != nil {
		t.Fatal(err)
	}
	return &link{conn: conn, files: files}
}

func serveSFTP(conn net.Conn, answer func(request []byte) []byte) {
	defer conn.Close()
	for {
		var head [4]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return
		}
		request := make([]byte, binary.BigEndian.Uint32(head[:]))
		if _, err := io.ReadFull(conn, request); err != nil {
			return
		}
		a := answer(request)
		if a == nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(a))), a...)); err != nil {
			return
		}
	}
}

// endless answers for such a folder.
type endless struct{ sent, names int }

// The numbers of requests and answers in the protocol.
const (
	fxpInit    = 1
	fxpVersion = 2
	fxpOpenDir = 11
	fxpReadDir = 12
	fxpStatus  = 101
	fxpHandle  = 102
	fxpName    = 104
)

func (s *endless) answer(request []byte) []byte {
	a := s.answerTo(request)
	s.sent += len(a)
	return a
}

func (s *endless) answerTo(request []byte) []byte {
	number := request[1:5]
	switch request[0] {
	case fxpInit:
		return []byte{fxpVersion, 0, 0, 0, 3}
	case fxpOpenDir:
		return append(append([]byte{fxpHandle}, number...), 0, 0, 0, 1, 'h')
	case fxpReadDir:
		const names = 100
		a := binary.BigEndian.AppendUint32(append([]byte{fxpName}, number...), names)
		for range names {
			s.names++
			name := fmt.Sprintf("%016x-000000000001-00001.zst", s.names)
			for _, text := range []string{name, "-rw-r--r--    1 crawl    crawl    1234567 Nov 21 22:00 " + name} {
				a = append(binary.BigEndian.AppendUint32(a, uint32(len(text))), text...)
			}
			a = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(a, 4), 0o100644) // attributes: the mode
		}
		return a
	}
	return append(append([]byte{fxpStatus}, number...), make([]byte, 12)...)
}
