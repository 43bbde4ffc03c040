package canon

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// holdPlain holds the short way to what the parser gives for ref on the page b, and tells whether
// it was taken. Nothing may be read behind ref: there is nothing.
func holdPlain(t testing.TB, b *Base, ref string) bool {
	t.Helper()
	const before = "what is there"
	got, ok := b.plain([]byte(before), slices.Clip([]byte(ref)))
	if !ok {
		return false
	}
	if want, err := b.resolve(ref); string(got) != before+want || err != nil {
		t.Errorf("the short way makes of %.300q %.300q, the parser %.300q, %v (%+v)", ref, got, want, err, b)
	}
	return true
}

// basesOf gives pages of every kind, and none.
func basesOf(t testing.TB) []*Base {
	t.Helper()
	bases := []*Base{nil}
	for _, url := range []string{"http://example.org/foo/bar?q", "https://example.org", "http://example.org//",
		"https://a.b:8443/x/y//?/z/",
		"http://192.0.2.1/a/b/c/..", "https://[2001:db8::1]:81/a%2Fb/c",
		"http://b\u00fccher.example/\u00e9/\u00e9?\u00e9"} {
		b, err := NewBase(url)
		if err != nil {
			t.Fatal(err)
		}
		bases = append(bases, b)
	}
	return bases
}

// TestPlainIsTaken: the other tests would not tell if the short way gave up everywhere.
func TestPlainIsTaken(t *testing.T) {
	b, err := NewBase("http://example.org/foo/bar?q")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{
		"http://example.org", "https://www.example.org:8443/a/b.html?c=d#e", "http://127.0.0.1:8080/",
		"https://a-b.c--d.x9/", "http://WWW.Example.org:81/A", "HTTP://EXAMPLE.org:80/A", "https://a:443",
		"https://a:443?b",
		"//example.org/x", "//example.org?x", "/", "/a/b", "a/../b", "../../../a", ".", "..", "./", "../", "./a", "a/.",
		"a/..", "a//../b",
		".htaccess", "a/...", "..a/b..", "", "#", "#\u00e9\t ", "?", "?a=b&c=../d", "a b", " a" +
			" ", "\u00e9?\u00e9", "\xff", "%7euser/%C3%bc?%41%2f",
		"a@b", "a|b;c=d,e(f)[g]*!$'", "?{}`^\\|'\"<>", "a?b:c", "./a:b", "a" + strings.Repeat("/b", 50),
	} {
		if !holdPlain(t, b, ref) {
			t.Errorf("%q goes the long way", ref)
		}
	}
	for _, url := range []string{"http://example.org/", "https://www.example.org:8443/a/b.c/.d/..e?f=/../g%2F",
		"http://192.0.2.1/%C3%BC//", "http://a/?", "http://a/|[]@!$&'()*+,;=~"} {
		if got, ok := (*Base)(nil).plain(nil, []byte(url)); !ok || string(got) != url {
			t.Errorf("%q is canonical, and becomes %q, %v", url, got, ok)
		}
	}
}

// TestPlainOfAllShort tries every path and query, and every host, of up to some bytes.
func TestPlainOfAllShort(t *testing.T) {
	bases := basesOf(t)[:2]
	for _, c := range []struct {
		before, bytes string
		most          int
	}{
		{"http://example.org/", "/.?a", 6},
		{"", "/.?#a:", 5},
		{"", "/.\\%2eEa", 4},
		{"http://", "a0-.x1:/", 5},
		{"//", "x0n-.1a@", 5},
		{"http://", "XNn-.A0x", 5},
		{"http://a", ":/084?3#5@", 4},
		{"HTTPS://a", ":/04?3", 4},
		{"http://a/", "%2eE5fF/", 4},
	} {
		eachWord(c.bytes, c.most, func(word string) {
			for _, b := range bases {
				holdPlain(t, b, c.before+word)
			}
		})
	}
	for c := range 256 { // each byte in each place
		s := string([]byte{byte(c)})
		for _, ref := range []string{s, "a" + s, s + "a", "a/" + s, "?" + s, "a?b" + s + "c", "#" + s, "//a" + s,
			"//" + s + "a", "http://a" + s + "/",
			"http://a.b:" + s + "1/", "http://a.b:1" + s, "http://a/" + s, "http://a/b" + s + "c", "http://a/?" +
				s, "http:" + s + "/a", "%2" + s, "%" + s + "2", "%" + s} {
			for _, b := range bases {
				holdPlain(t, b, ref)
			}
		}
	}
}

// eachWord calls do with every string of the bytes of letters that is at most so long.
func eachWord(letters string, most int, do func(string)) {
	for words := []string{""}; most >= 0; most-- {
		var longer []string
		for _, w := range words {
			do(w)
			for i := range letters {
				if most > 0 {
					longer = append(longer, w+letters[i:i+1])
				}
			}
		}
		words = longer
	}
}

// TestPlainOfPieces joins what URLs are made of, at the bounds of length too.
func TestPlainOfPieces(t *testing.T) {
	pieces := []string{"http://", "https://", "HTTP://", "hTTpS://", "http:", "//", "/", "\\", "..", ".", "?", "#",
		"%2e", "%2F", "%41", "%zz", "%", "&", "=", "a", "b.html",
		"index.php", "example.org", "www.Example.org", "xn--bcher-kva.de", "a_b", "-a", "127.1", "192.0.2.1", "0x7f.1",
		"1.2.3", "[::1]", ":80", ":443", ":8080",
		":", "user@", "@", " ", "\t", "\n", "\u00e9", "\xff", "|", "^", "`", "{}", "'", "\"", "<", "~", ";x=1",
		strings.Repeat("a", 64), strings.Repeat("b", 200),
		strings.Repeat("/c", 60), strings.Repeat("../", 40), strings.Repeat("d.", 100), strings.Repeat("e", 4000)}
	bases := basesOf(t)
	random := rand.New(rand.NewPCG(1, 2))
	taken, n := 0, 30_000
	for range n {
		var ref strings.Builder
		for range 1 + random.IntN(9) {
			ref.WriteString(pieces[random.IntN(len(pieces))])
		}
		if holdPlain(t, bases[random.IntN(len(bases))], ref.String()) {
			taken++
		}
	}
	if taken < n/20 {
		t.Errorf("only %d of %d take the short way", taken, n)
	}
}

// TestPlainAtTheBounds tries references as long, as deep and as dear as resolve takes them, and a
// little more and less.
func TestPlainAtTheBounds(t *testing.T) {
	bases := basesOf(t)
	hold := func(ref string) {
		for _, b := range bases {
			holdPlain(t, b, ref)
		}
	}
	for n := -2; n <= 2; n++ {
		for _, before := range []string{"", "/", "//a/", "http://example.org/", "?", "#"} {
			hold(before + strings.Repeat("a", MaxLength-len(before)+n))
			hold(before + strings.Repeat("a", MaxLength-len("http://example.org/foo/")-len(before)+n))
		}
		for _, before := range []string{"", "/a:", "a/:", "?a:", "//", "http://a/", "http:/"} {
			hold(before + strings.Repeat("a", maxUser-len(before)+n) + "@b/c")
			hold(before + strings.Repeat("a", maxUser+n) + "@b/c")
		}
		for _, before := range []string{"", "/", "http://a", "//a", "?"} {
			hold(before + strings.Repeat("/a", MaxSegments+n))
			hold(before + strings.Repeat("a/", MaxSegments+n))
			hold(before + strings.Repeat("/..", 2*MaxSegments+n))
			hold(before + strings.Repeat("/../b", MaxSegments+n))
		}
		for _, label := range []int{maxLabel, maxHost} {
			hold("http://" + strings.Repeat("a", label+n) + "/")
			hold("http://" + strings.Repeat("a.", label/2+n) + "b/")
		}
	}
}

// FuzzPlain holds the short way to the parser, on a page that is fuzzed too.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"../a?b#c", "http://a.example:8080/%2f/./..?%41'#", "//x.n--a.1/", "?a b\"<>'%zz",
		"a:b", "/a/.%2e/..", "https://192.0.2.1:0443", "\t/\u00e9\xff^|"} {
		f.Add("http://example.org/foo/bar?q", s)
		f.Add("https://a.b:8443//"+s, "/x/../"+s)
	}
	f.Fuzz(func(t *testing.T, page, ref string) {
		b, err := NewBase(page)
		if err != nil {
			b = nil
		}
		holdPlain(t, b, ref)
		holdPlain(t, b, page)
		holdPlain(t, nil, ref)
		holdPlain(t, nil, "http://"+ref)
		holdPlain(t, nil, "http://example.org/"+ref)
	})
}
