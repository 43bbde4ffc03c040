package canon

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"http://example.org", "http://example.org/"},
		{"HTTP://EXAMPLE.org:80/a/../b", "http://example.org/b"},
		{"https://example.org:443/", "https://example.org/"},
		{"https://example.org:80/", "https://example.org:80/"},
		{"http://example.org/a#top", "http://example.org/a"},
		{"http://example.org/a?#top", "http://example.org/a?"},
		{"http://example.org/?b=2&a=1", "http://example.org/?b=2&a=1"},
		{"http://example.org?q", "http://example.org/?q"},
		{"http://user:secret@example.org/", "http://example.org/"},
		{"http://example.org./a", "http://example.org/a"},
		{"http://example.org/%7euser/%41%2d%2F%3f", "http://example.org/~user/A-%2F%3F"},
		{"http://example.org/%c3%bc", "http://example.org/%C3%BC"},
		{"http://example.org/ü", "http://example.org/%C3%BC"},
		{"http://example.org/a b", "http://example.org/a%20b"},
		{"http://example.org/100%", "http://example.org/100%25"},
		{"http://example.org/%2%65%2%65/x", "http://example.org/%252e%252e/x"},
		{"http://example.org/a/%2E%2e/b", "http://example.org/b"},
		{"http://example.org/a/.%2e", "http://example.org/"},
		{"http://example.org\\a\\b", "http://example.org/a/b"},
		{" \t\nhttp://exa\nmple.org/\r\n", "http://example.org/"},
		{"ht\ntp://example.org/", "http://example.org/"},
		{"http:example.org", "http://example.org/"},
		{"http://example.org//a//b", "http://example.org//a//b"},
		{"http://bücher.example/", "http://xn--bcher-kva.example/"},
		{"http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"},
		{"http://0x7f.1/", "http://127.0.0.1/"},
		{"http://[2001:DB8::0:1]:8080/", "http://[2001:db8::1]:8080/"},
		{"http://example.org/\xfc?\xfc", "http://example.org/%FC?%FC"},
		{"http://example.org/a|b?c|d'e", "http://example.org/a|b?c|d%27e"},
		{"http://my_host.example.org/", "http://my_host.example.org/"},
	} {
		got, err := Parse(c.in)
		if err != nil || got != c.want {
			t.Errorf("Parse(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		in   string
		want error
	}{
		{"", ErrSyntax},
		{"/a/b", ErrSyntax},
		{"example.org/a", ErrSyntax},
		{"http://", ErrSyntax},
		{"http://exa mple.org/", ErrSyntax},
		{"http://example.org:99999/", ErrSyntax},
		{"http://1.2.3.4.5/", ErrSyntax},
		{"http://[::1/", ErrSyntax},
		{"mailto:a@example.org", ErrScheme},
		{"JavaScript:void(0)", ErrScheme},
		{"java\nscript:void(0)", ErrScheme},
		{"ftp://example.org/", ErrScheme},
		{"data:image/png;base64," + strings.Repeat("A", 1<<20), ErrScheme},
		{"http://a..b/", ErrHost},
		{"http://example.org../", ErrHost},
		{"http://a,b/", ErrHost},
		{"http://" + strings.Repeat("a", 64) + ".org/", ErrHost},
		{"http://" + strings.Repeat("a.", 127) + "a/", ErrHost},
		{"http://example.org/" + strings.Repeat("a", MaxLength), ErrLength},
		{"http://example.org/" + strings.Repeat("ü", MaxLength/3), ErrLength},
		{"http://example.org" + strings.Repeat("/a", MaxSegments) + "/", ErrLength},
		{"http://example.org" + strings.Repeat("/..", 2*MaxSegments), ErrLength},
		{"http:" + strings.Repeat("@", 300) + "example.org/", ErrLength},
		{"ht\ntp:/\t\\/" + strings.Repeat("@", 300) + "example.org/", ErrLength},
	} {
		got, err := Parse(c.in)
		if !errors.Is(err, c.want) {
			t.Errorf("Parse(%.80q) = %.80q, %v; want %v", c.in, got, err, c.want)
		}
	}
}

// TestErrorsHoldNothingOfTheReference: they may end on a terminal.
func TestErrorsHoldNothingOfTheReference(t *testing.T) {
	for _, ref := range []string{"http://a\x1b[2J/", "http://[\x1b[2J]/", "http://a:\x1b[2J/",
		"http://\u009b\x1b[2J/", "ht\x1b[2Jtp://a/", "http://\x1b[2J..a/"} {
		if _, err := Parse(ref); err == nil || strings.Contains(err.Error(), "[2J") {
			t.Errorf("Parse(%q) = %v", ref, err)
		}
	}
}

// TestParseTakes what is at the bounds.
func TestParseTakes(t *testing.T) {
	for _, url := range []string{
		"http://example.org" + strings.Repeat("/a", MaxSegments),
		"http://example.org/?" + strings.Repeat("/a@", MaxLength/4),
		"http://example.org/" + strings.Repeat("@", 4000),
	} {
		if got, err := Parse(url); got != url || err != nil {
			t.Errorf("Parse(%.60q) = %.60q, %v; want it unchanged", url, got, err)
		}
	}
	if got, err := Parse("//" + strings.Repeat("@", 300) + "example.org/"); err == nil {
		t.Errorf("a reference to a host without a scheme is %q", got)
	}
}

// TestCost holds the dearest references that were found to what they may cost, told by the memory
// that goes through the parser's hands: a page may have ten thousand of them.
func TestCost(t *testing.T) {
	base, err := NewBase("http://example.org" + strings.Repeat("/"+strings.Repeat("a", 75), MaxSegments))
	if err != nil {
		t.Fatal(err)
	}
	allocated := func(ref string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		base.Resolve(ref)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, ref := range []string{"?1", "https:" + strings.Repeat("@", 8000) + "a/", "https://" +
		strings.Repeat("a:", 4000) + "@a/",
		strings.Repeat("a/", 4000), strings.Repeat("../", 2700), "http://" + strings.Repeat("ü", 4000)} {
		if n := allocated(ref); n > 4<<20 {
			t.Errorf("Resolve(%.20q…) of %d bytes takes %d bytes of memory in turn", ref, len(ref), n)
		}
	}
}

func TestResolve(t *testing.T) {
	const base = "http://work.com/My/Tasks/Current/index.html?q#f"
	for _, c := range []struct{ ref, want string }{
		{"../NeverEnds/this_thesis.html",
			"http://work.com/My/Tasks/NeverEnds/this_thesis.html"}, // thesis, section 2.2.2
		{"", "http://work.com/My/Tasks/Current/index.html?q"},
		{"#x", "http://work.com/My/Tasks/Current/index.html?q"},
		{"?p=1", "http://work.com/My/Tasks/Current/index.html?p=1"},
		{"//example.org", "http://example.org/"},
		{"/a", "http://work.com/a"},
		{"../../../../../a", "http://work.com/a"},
		{"http:a", "http://work.com/My/Tasks/Current/a"},
		{"https:a", "https://a/"},
		{"a:b", ""},
		{"./a:b", "http://work.com/My/Tasks/Current/a:b"},
		{"https://example.org/é?é", "https://example.org/%C3%A9?%C3%A9"},
	} {
		got, err := Resolve(base, c.ref)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Resolve(%q) = %q, %v; want %q", c.ref, got, err, c.want)
		}
	}
}

// FuzzResolve holds canonical form to be a fixed point, within its bytes and its bounds.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"http://example.org/%2%65", "../a?b#c", "http://[::ffff:1.2.3.4]:1/", "//ü.example./%ff",
		"http://user@0x7f.1:080/\\..\\a", "https:a", "http://xn--a.example/", "\x00http://a/\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		got, err := Resolve("https://example.org/a/b?c", ref)
		if err != nil {
			return
		}
		if len(got) > MaxLength {
			t.Errorf("%q has %d bytes", got, len(got))
		}
		for i := 0; i < len(got); i++ {
			if got[i] <= ' ' || got[i] > '~' || got[i] == '#' {
				t.Errorf("%q has byte %#x", got, got[i])
			}
		}
		again, err := Parse(got)
		if err != nil || again != got {
			t.Errorf("Parse(%q) = %q, %v: not a fixed point (from %q)", got, again, err, ref)
		}
		if Scheme(got)+"://"+Host(got)+Path(got) != got {
			t.Errorf("%q is more than scheme, host and path", got)
		}
	})
}
