// Package storetest holds every transport to what package store promises.
//
//	func TestFolder(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) storetest.Place { … })
//	}
package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"multitext/stages/gofer/internal/store"
)

// A Place is a fresh one, with nothing in it.
type Place struct {
	// Open opens the place; each call gives a Store of its own.
	Open func(t *testing.T) store.Store

	// Plant leaves a file, under any name that its system takes. A name that ends in a slash is a
	// folder.
	Plant func(t *testing.T, name string, content []byte)

	// Many is how many names the test of long listings plants; 0 is 2,500, more than a page of any.
	Many int
}

// Run runs all tests, each in a place of its own.
func Run(t *testing.T, fresh func(t *testing.T) Place) {
	for name, test := range map[string]func(*testing.T, *place){
		"empty":            empty,
		"open":             openAll,
		"remove":           remove,
		"not there":        notThere,
		"hostile names":    hostileNames,
		"hidden":           hidden,
		"long listing":     longListing,
		"removing in list": removingInList,
		"left half-read":   leftHalfRead,
		"context":          ended,
	} {
		t.Run(name, func(t *testing.T) {
			p := &place{Place: fresh(t)}
			p.Store = p.open(t)
			test(t, p)
		})
	}
}

// place is a Place, opened.
type place struct {
	Place
	store.Store
}

func (p *place) open(t *testing.T) store.Store {
	t.Helper()
	s := p.Place.Open(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (p *place) put(t *testing.T, name, content string) {
	t.Helper()
	p.Plant(t, name, []byte(content))
}

// holds wants the place to list exactly these names and contents' lengths, and to give the
// contents.
func (p *place) holds(t *testing.T, want map[string]string) {
	t.Helper()
	got := map[string]int64{}
	for e, err := range p.List(t.Context()) {
		if errors.Is(err, fs.ErrNotExist) && len(want) == 0 {
			return
		}
		if err != nil {
			t.Fatalf("list: %v", err)
		}
		if _, twice := got[e.Name]; twice {
			t.Errorf("%s is listed twice", e.Name)
		}
		got[e.Name] = e.Size
	}
	for name, size := range got {
		if content, ok := want[name]; !ok || int64(len(content)) != size {
			t.Errorf("%.80q is listed with %d bytes; is it known: %v, with %d", name, size, ok, len(content))
		}
	}
	for name, content := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is not listed", name)
		}
		if text, err := Read(t.Context(), p.Store, name); err != nil || text != content {
			t.Errorf("%s holds %d bytes, want %d other ones or the same: %v", name, len(text), len(content), err)
		}
	}
}

// Read returns all that a name holds.
func Read(ctx context.Context, s store.Store, name string) (string, error) {
	r, err := s.Open(ctx, name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return string(text), err
}

func empty(t *testing.T, p *place) { p.holds(t, nil) }

func openAll(t *testing.T, p *place) {
	want := map[string]string{
		"0123456789abcdef-000000000007-00001.warc.gz": "pages",
		"a":                                strings.Repeat("long ", 1<<20),
		"nothing":                          "",
		strings.Repeat("n", store.MaxName): "the longest name",
		"a.b_c-d":                          "\x00\xff\r\n",
	}
	for name, content := range want {
		p.put(t, name, content)
	}
	p.holds(t, want)
	p.Store = p.open(t)
	p.holds(t, want)
}

func remove(t *testing.T, p *place) {
	p.put(t, "a", "1")
	p.put(t, "b", "2")
	for range 2 {
		if err := p.Remove(t.Context(), "a"); err != nil {
			t.Errorf("remove: %v", err)
		}
	}
	p.holds(t, map[string]string{"b": "2"})
	p.put(t, "a", "another")
	p.holds(t, map[string]string{"a": "another", "b": "2"})
}

// What is not there is told apart from what cannot be reached, in a place that is not there yet,
// too.
func notThere(t *testing.T, p *place) {
	look := func() {
		t.Helper()
		_, err := Read(t.Context(), p.Store, "name")
		if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrUnreachable) || errors.Is(err, store.ErrRefused) {
			t.Errorf("open: %v, want fs.ErrNotExist and nothing else", err)
		}
		if err := p.Remove(t.Context(), "name"); err != nil {
			t.Errorf("remove: %v", err)
		}
	}
	look()
	p.put(t, "other", "x")
	look()
}

// Names that could lead elsewhere do nothing at all.
func hostileNames(t *testing.T, p *place) {
	p.put(t, "a", "1")
	for _, name := range HostileNames() {
		if text, err := Read(t.Context(), p.Store, name); err == nil {
			t.Errorf("open %.40q gives %.40q", name, text)
		}
		if err := p.Remove(t.Context(), name); err == nil {
			t.Errorf("remove %.40q: no error", name)
		}
	}
	p.holds(t, map[string]string{"a": "1"})
}

// HostileNames are such as no batch may have.
func HostileNames() []string {
	return []string{"", ".", "..", "../a", "/a", "./a", "a/", "a/b", `a\b`, `..\a`, ".a", "-a", "_a", "A", "a b", "a\n",
		"a\x00", "a\x1b[2J",
		"ä", "a%2f", "a*", "a?", "$(a)", "~", "a:b", strings.Repeat("a", store.MaxName+1), strings.Repeat("a", 1<<16)}
}

// Names with a dot in front, such as none of ours has, and folders are skipped, and stay.
func hidden(t *testing.T, p *place) {
	p.put(t, "a", "1")
	for _, name := range []string{".put-x", ".a", "B", "a b", "a;b", "folder/", strings.Repeat("x", store.MaxName+1)} {
		p.Plant(t, name, []byte("x"))
	}
	p.holds(t, map[string]string{"a": "1"})
}

func longListing(t *testing.T, p *place) {
	n := p.Many
	if n == 0 {
		n = 2500
	}
	want := map[string]string{}
	for i := range n {
		name := fmt.Sprintf("%016x-%012d-00001.zst", i*7919, i)
		want[name] = ""
		p.put(t, name, "")
	}
	seen := map[string]bool{}
	for e, err := range p.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := want[e.Name]; !ok || seen[e.Name] {
			t.Fatalf("%q is listed; was it put: %v, was it listed: %v", e.Name, ok, seen[e.Name])
		}
		seen[e.Name] = true
	}
	if len(seen) != n {
		t.Errorf("%d names are listed, want %d", len(seen), n)
	}
	for range p.List(t.Context()) { // and one may break off, and go on with something else
		break
	}
	if _, err := Read(t.Context(), p.Store, fmt.Sprintf("%016x-%012d-00001.zst", 0, 0)); err != nil {
		t.Error(err)
	}
}

// A listing that goes on while names vanish still ends, with each name once at most.
func removingInList(t *testing.T, p *place) {
	for i := range 50 {
		p.put(t, fmt.Sprint("name-", i), "x")
	}
	other := p.open(t)
	seen := map[string]bool{}
	for e, err := range p.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[e.Name] {
			t.Errorf("%s is listed twice", e.Name)
		}
		seen[e.Name] = true
		if err := other.Remove(t.Context(), e.Name); err != nil {
			t.Fatal(err)
		}
	}
	p.holds(t, nil)
}

// What was opened and not read to its end is in nobody's way.
func leftHalfRead(t *testing.T, p *place) {
	p.put(t, "long", strings.Repeat("x", 3<<20))
	p.put(t, "short", "y")
	for range 3 {
		r, err := p.Store.Open(t.Context(), "long")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
			t.Error(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if text, err := Read(t.Context(), p.Store, "short"); err != nil || text != "y" {
			t.Errorf("%q, %v", text, err)
		}
	}
	if err := p.Remove(t.Context(), "long"); err != nil {
		t.Error(err)
	}
	p.holds(t, map[string]string{"short": "y"})
}

// Nothing is done for one who has gone.
func ended(t *testing.T, p *place) {
	p.put(t, "a", "1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var err error
	for _, err = range p.List(ctx) {
	}
	if err == nil {
		t.Error("list: no error")
	}
	if _, err := Read(ctx, p.Store, "a"); err == nil {
		t.Error("open: no error")
	}
	if err := p.Remove(ctx, "a"); err == nil {
		t.Error("remove: no error")
	}
	p.Store = p.open(t)
	p.holds(t, map[string]string{"a": "1"})
}
