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
	ours, theirs := net.Pipe()
	s := &endless{Conn: theirs}
	go s.serve()
	conn := &patient{Conn: ours, timeout: time.Minute}
	l := &link{conn: conn}
	var err error
	if l.files, err = sftp.NewClientPipe(conn, conn); err != nil {
		t.Fatal(err)
	}
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

// endless is a server of such a folder.
type endless struct {
	net.Conn
	sent, names int
}

func (s *endless) serve() {
	defer s.Close()
	for {
		var head [4]byte
		if _, err := io.ReadFull(s, head[:]); err != nil {
			return
		}
		request := make([]byte, binary.BigEndian.Uint32(head[:]))
		if _, err := io.ReadFull(s, request); err != nil {
			return
		}
		answer := s.answer(request)
		s.sent += len(answer)
		if _, err := s.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(answer))), answer...)); err != nil {
			return
		}
	}
}

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
