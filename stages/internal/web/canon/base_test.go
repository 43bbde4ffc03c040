package canon

import (
	"sync"
	"testing"
)

// TestBaseIsShared is for the race detector: the parser fills in parts of a page's URL when it
// first needs them.
func TestBaseIsShared(t *testing.T) {
	b, err := NewBase("http://example.org/foo/bar?q")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, ref := range []string{`\x`, "x\ty", "?p"} {
				if _, err := b.Resolve(ref); err != nil {
					t.Errorf("Resolve(%q): %v", ref, err)
				}
			}
		})
	}
	all.Wait()
}

func TestAppend(t *testing.T) {
	b, err := NewBase("http://example.org/foo/bar?q")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ref, want string
		err       error
	}{
		{"x", "[http://example.org/foo/x", nil},
		{`\x`, "[http://example.org/x", nil},
		{"mailto:x", "[", ErrScheme},
		{"\nhttp://a..b/", "[", ErrHost},
	} {
		room := append(make([]byte, 0, 100), '[')
		got, err := b.Append(room, []byte(c.ref))
		if string(got) != c.want || err != c.err {
			t.Errorf("Append(%q) = %q, %v; want %q, %v", c.ref, got, err, c.want, c.err)
		}
	}
	if got, err := Append([]byte("["), []byte("HTTP://Example.org")); string(got) != "[http://example.org/" ||
		err != nil {
		t.Errorf("Append = %q, %v", got, err)
	}
}
