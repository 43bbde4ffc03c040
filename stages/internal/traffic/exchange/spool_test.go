package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSpoolOfHeadAndBody holds that head and body come out as they went in, whatever of them is in
// the file, and from memory that another spool has used.
func TestSpoolOfHeadAndBody(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	text := make([]byte, 3*spoolMemory)
	for i := range text {
		text[i] = byte(i * i >> 8)
	}
	pool := new(sync.Pool)
	for _, size := range []int{0, 1, 5000, spoolMemory - 100, spoolMemory, spoolMemory + 1, 2*spoolMemory - 100,
		3*spoolMemory - 100} {
		for _, piece := range []int{1000, 100_000} {
			head, body := text[size:size+100], text[:size]
			s := &Spool{pool: pool}
			if err := s.begin(head); err != nil {
				t.Fatal(err)
			}
			s.expect(int64(size / 2))
			for rest := body; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				if n, err := s.Write(rest[:min(piece, len(rest))]); err != nil || n != min(piece, len(rest)) {
					t.Fatal(n, err)
				}
			}
			read, err := io.ReadAll(s.Reader())
			if err != nil || !bytes.Equal(read, body) || s.Len() != int64(size) {
				t.Errorf("%d bytes in pieces of %d: %d of them read, %v, Len %d", size, piece, len(read), err, s.Len())
			}
			all, err := s.all()
			if err != nil || !bytes.Equal(all, append(bytes.Clone(head), body...)) {
				t.Errorf("%d bytes in pieces of %d: all are %d, %v", size, piece, len(all), err)
			}
			if cap(s.memory) > spoolMemory {
				t.Errorf("%d bytes take %d of memory", size, cap(s.memory))
			}
			if err := s.Close(); err != nil || s.Close() != nil || s.Len() != 0 || s.memory != nil {
				t.Errorf("close: %v, Len %d", err, s.Len())
			}
		}
	}
}

// TestNoRoomToSpool holds that no server is blamed where a long body cannot be kept.
func TestNoRoomToSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	s := serve(t, say("HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("x", 2*spoolMemory)))
	c := client(t)
	c.Limits.Body = 4 * spoolMemory
	a, err := c.Get(t.Context(), s.request("/"))
	var e *Error
	if !errors.Is(err, fs.ErrNotExist) || errors.As(err, &e) {
		t.Errorf("Get = %v, %v, want an error of this machine", a, err)
	}
}

// TestDiskIsNotTheServersSlowness holds that the time in which the disk takes a part of a body counts
// against no limit. The file is a pipe here that nobody reads for longer than the limits.
func TestDiskIsNotTheServersSlowness(t *testing.T) {
	t.Parallel()
	const size = 2 * spoolMemory
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		next()
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", size, make([]byte, size))
		hang(c)
	})
	c := client(t)
	c.Limits = Limits{Timeout: 500 * time.Millisecond, Total: 750 * time.Millisecond, Head: 4096, Body: size}
	x := &exchange{client: c, ctx: t.Context(), request: s.request("/")}
	x.text, _ = c.message(x.request)
	c.begin(x)
	defer c.forget(x)
	l, err := x.connect()
	if err != nil {
		t.Fatal(err)
	}
	defer l.conn.Close()
	disk, file, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	x.link, x.inBody = l, true
	x.start(l.expire, c.Limits.Total)
	in := c.reader(x)
	h, _, err := x.head(in)
	if err != nil {
		t.Fatal(err)
	}
	body := x.spool()
	defer body.Close()
	body.file = file
	go func() {
		time.Sleep(c.Limits.Total * 6 / 5)
		io.Copy(io.Discard, disk)
	}()
	_, err = readBody(in, h, body, c.Limits.Body)
	if cut := x.stop(); err != nil || cut != nil || body.Len() != size {
		t.Errorf("%d bytes, %v, cut: %v; want all %d", body.Len(), err, cut, size)
	}
	if x.paused < c.Limits.Total {
		t.Errorf("the disk is said to have taken %v, want %v at least", x.paused, c.Limits.Total)
	}
}
