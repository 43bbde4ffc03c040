package warc

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// allocated returns the bytes of memory that do asks for in turn.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestEncodeCopiesNoBody holds that a large answer takes no more memory for having come in chunks.
func TestEncodeCopiesNoBody(t *testing.T) {
	body := strings.Repeat("400\r\n"+strings.Repeat("a", 0x400)+"\r\n", 8<<10) + "0\r\n\r\n"
	x := testExchange(t, "http://example.org/", okHead+"\r\nTransfer-Encoding: chunked", body)
	e := new(Encoder)
	var p Packed
	var err error
	n := allocated(func() { p, err = e.Encode(x) })
	if err != nil {
		t.Fatal(err)
	}
	if n > uint64(len(body))*3/4 {
		t.Errorf("%d bytes of memory for a body of %d", n, len(body))
	}
	if got, want := next(t, reader(p.Response)).PayloadDigest(), digest(bytes.Repeat([]byte("a"), 8<<20)); got != want {
		t.Errorf("payload digest %s, want %s", got, want)
	}
}

// TestHeadInSlivers holds that a head which inflates two bytes at a time is searched once, not anew
// for each piece: that took minutes. Of a head 16 times as long, 16 times the time is expected, 256
// times if it grew with the square, and 100 allowed. Others on the machine may slow a reading, so
// that only the fastest of some counts.
func TestHeadInSlivers(t *testing.T) {
	const few = 2_000
	short, long := slivers(t, few), slivers(t, 16*few)
	least, most := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range 5 {
		least = min(least, timeToHead(t, short))
		most = min(most, timeToHead(t, long))
		if most < 100*least {
			return
		}
	}
	t.Errorf("%v for a head of %d lines, %v for one of %d", least, few, most, 16*few)
}

// slivers is a record whose head of so many lines was flushed two bytes at a time.
func slivers(t *testing.T, lines int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	head := okHead + "\n" + strings.Repeat("a\n", lines) + "\r\n"
	fmt.Fprintf(z, "WARC/1.0\r\n%s\r\nContent-Length: %d\r\n\r\n", foreignResponse, len(head)+4)
	for i := 0; i < len(head); i += 2 {
		io.WriteString(z, head[i:min(i+2, len(head))])
		z.Flush()
	}
	io.WriteString(z, "body\r\n\r\n")
	z.Close()
	return b.Bytes()
}

func timeToHead(t *testing.T, file []byte) time.Duration {
	t.Helper()
	a := next(t, reader(file))
	start := time.Now()
	if h, err := a.HTTP(); err != nil || h.Status != 200 {
		t.Fatalf("%v, %v", h, err)
	}
	return time.Since(start)
}

// TestEndlessMember holds that a member which inflates to nothing for ever is not kept in memory.
func TestEndlessMember(t *testing.T) {
	const nothing = "\x00\x00\x00\xff\xff" // a stored block of no bytes
	src := io.MultiReader(bytes.NewReader(gzipped("")[:10]), strings.NewReader(strings.Repeat(nothing, 1<<20)))
	r := NewReader("test", src)
	r.MaxRecord = 1 << 20
	if _, err := r.Next(); !errors.Is(err, errEndless) {
		t.Errorf("Next: %v, want %v", err, errEndless)
	}
}

// TestRevisitOfLongURLs holds that a revisit record of the longest URLs that a batch can carry is
// read.
func TestRevisitOfLongURLs(t *testing.T) {
	long := "http://example.org/" + strings.Repeat("a", 64<<10-100)
	a := next(t, reader(file(t, testExchange(t, long, okHead, "body"))))
	e := new(Encoder)
	p, err := e.Revisit(a, Original{URL: long, Date: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if b := next(t, reader(p.Response)); !b.Revisit() || b.URL() != long {
		t.Errorf("revisit %v of %.40q", b.Revisit(), b.URL())
	}
}
