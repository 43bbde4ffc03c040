package store_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/servertest"
	"multitext/stages/gofer/internal/testkit/storetest"
)

// buckets starts a service, and opens one place in it again and again.
func buckets(t *testing.T) (open func() *store.Bucket) {
	servertest.SetKeys(t)
	place := servertest.S3URL(servertest.StartVersity(t).Address(), "p")
	return func() *store.Bucket { return openBucket(t, place, 20*time.Second) }
}

func openBucket(t testing.TB, rawURL string, timeout time.Duration) *store.Bucket {
	t.Helper()
	b, err := store.OpenBucket(t.Context(), rawURL, store.Options{Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func put(t *testing.T, s *store.Bucket, name, content string) {
	t.Helper()
	if err := s.Put(t.Context(), name, strings.NewReader(content), int64(len(content))); err != nil {
		t.Fatalf("put %s: %v", name, err)
	}
}

// holds wants the one name that is there to have this content.
func holds(t *testing.T, s store.Store, want string) {
	t.Helper()
	names, err := listed(t.Context(), s)
	if err != nil || len(names) != 1 || names[0] != "name" {
		t.Fatalf("%q are there, %v", names, err)
	}
	if text, err := storetest.Read(t.Context(), s, "name"); err != nil || text != want {
		t.Errorf("it has %d bytes, want %d other ones or the same: %v", len(text), len(want), err)
	}
}

// TestPut holds that what is put is what is read; that names which could lead elsewhere are not
// put, and nothing for one who has gone.
func TestPut(t *testing.T) {
	s := buckets(t)()
	for _, content := range []string{"pages", "", strings.Repeat("long ", 1<<20), "\x00\xff\r\n"} {
		put(t, s, "name", content)
		holds(t, s, content)
		if err := s.Remove(t.Context(), "name"); err != nil {
			t.Fatal(err)
		}
	}
	put(t, s, "name", "x")
	for _, name := range storetest.HostileNames() {
		if err := s.Put(t.Context(), name, strings.NewReader("x"), 1); err == nil {
			t.Errorf("put %.40q: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Put(ctx, "other", strings.NewReader("x"), 1); err == nil {
		t.Error("put for one who has gone: no error")
	}
	holds(t, s, "x")
	for _, place := range []string{"file:x", "sftp://me@host/x", "s3://b:9/x", ":"} {
		if _, err := store.OpenBucket(t.Context(), place, store.Options{}); err == nil {
			t.Errorf("%s was opened as a bucket", place)
		}
	}
}

// TestPutTwice holds that a name is not put in the place of another.
func TestPutTwice(t *testing.T) {
	open := buckets(t)
	s := open()
	put(t, s, "name", "first")
	for _, content := range []string{"other", "longer than the first"} {
		err := s.Put(t.Context(), "name", strings.NewReader(content), int64(len(content)))
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("put again: %v, want fs.ErrExist", err)
		}
	}
	holds(t, s, "first")
}

// One of many that put the same name at once wins, and what is there is whole.
func TestPutAtOnce(t *testing.T) {
	open := buckets(t)
	const n, size = 8, 300_000
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		s := open()
		all.Go(func() {
			errs[i] = s.Put(t.Context(), "name", bytes.NewReader(bytes.Repeat([]byte{byte('a' + i)}, size)), size)
		})
	}
	all.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Errorf("both %d and %d won", winner, i)
		case err == nil:
			winner = i
		case !errors.Is(err, fs.ErrExist):
			t.Errorf("%d: %v, want fs.ErrExist", i, err)
		}
	}
	if winner < 0 {
		t.Fatalf("nobody won: %v", errs)
	}
	holds(t, open(), strings.Repeat(string(rune('a'+winner)), size))
}

// broken reads some bytes and then fails, whenever it is read from the beginning.
type broken struct{ *strings.Reader }

var errBroken = errors.New("the source is broken")

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = errBroken
	}
	return n, err
}

// TestPutThatFails holds that nothing is there of what could not be read, or is not as long as was
// said.
func TestPutThatFails(t *testing.T) {
	s := buckets(t)()
	if err := s.Put(t.Context(), "name", broken{strings.NewReader(strings.Repeat("x", 100_000))}, 200_000); err == nil {
		t.Error("put of a source that breaks: no error")
	}
	for _, size := range []int64{1, 99, 101, 100_000} {
		if err := s.Put(t.Context(), "name", strings.NewReader(strings.Repeat("x", 100)), size); err == nil {
			t.Errorf("put of 100 bytes as %d: no error", size)
		}
	}
	if names, err := listed(t.Context(), s); err != nil || len(names) > 0 {
		t.Errorf("%q are there, %v", names, err)
	}
	put(t, s, "name", "whole")
	holds(t, s, "whole")
}
