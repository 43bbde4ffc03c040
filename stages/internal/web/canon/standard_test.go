package canon

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// A row is a reference, what the WHATWG URL standard makes of it ("-": failure), and what canonical
// form makes of it where that is another thing: a URL, or the name of an error. The values of the
// standard are worked out from its text, not from the parser.
type row struct{ ref, standard, canonical string }

func named(name string) error {
	return map[string]error{"scheme": ErrScheme, "host": ErrHost, "length": ErrLength, "syntax": ErrSyntax}[name]
}

// hold holds the parser to the standard, and canonical form to the row. base may be "".
func (r row) hold(t *testing.T, base string) {
	t.Helper()
	var u *whatwg.Url
	var err error
	if base == "" {
		u, err = standard.Parse(r.ref)
	} else {
		u, err = standard.ParseRef(base, r.ref)
	}
	if got := "-"; err == nil {
		if got = u.Href(false); got != r.standard {
			t.Errorf("the parser makes of %q %q, the standard %q", r.ref, got, r.standard)
		}
	} else if r.standard != "-" {
		t.Errorf("the parser refuses %q (%v), the standard makes %q of it", r.ref, err, r.standard)
	}

	want := r.canonical
	if want == "" {
		want = r.standard
	}
	if want == "-" {
		want = "syntax"
	}
	var got string
	if base == "" {
		got, err = Parse(r.ref)
	} else {
		got, err = Resolve(base, r.ref)
	}
	if is := named(want); is != nil && !errors.Is(err, is) || is == nil && (got != want || err != nil) {
		t.Errorf("canonical form of %q is %q, %v; want %q", r.ref, got, err, want)
	}
}

// TestHidden holds that what stands for Punycode while a host is parsed is no Punycode itself.
func TestHidden(t *testing.T) {
	if url, err := Parse("http://x" + hidden + "a." + hidden + "a/"); !errors.Is(err, ErrHost) {
		t.Errorf("%s, %v", url, err)
	}
}

// TestStandard has absolute URLs.
func TestStandard(t *testing.T) {
	for _, r := range []row{
		// scheme start, scheme, special authority slashes
		{"http://example.org", "http://example.org/", ""},
		{"HTTP://Example.ORG/", "http://example.org/", ""},
		{"hTTpS://example.org/", "https://example.org/", ""},
		{"http:example.org/a", "http://example.org/a", ""},
		{"http:/example.org/a", "http://example.org/a", ""},
		{"http:///example.org/a", "http://example.org/a", ""},
		{"http:////////example.org", "http://example.org/", ""},
		{`http:\\example.org\a`, "http://example.org/a", ""},
		{`http:\/\example.org`, "http://example.org/", ""},
		{"h\tt\nt\rp:/\t/example.org/", "http://example.org/", ""},
		{"\x00\x1f http://example.org/ \x1f\x00", "http://example.org/", ""},
		{"1http://example.org/", "-", ""},
		{"://example.org/", "-", ""},
		{"//example.org/", "-", ""},
		{"", "-", ""},
		{"example.org", "-", ""},
		{"ftp://example.org/", "ftp://example.org/", "scheme"},
		{"ws://example.org/", "ws://example.org/", "scheme"},
		{"wss://example.org:443/", "wss://example.org/", "scheme"},
		{"file:///etc/passwd", "file:///etc/passwd", "scheme"},
		{"mailto:a@example.org", "mailto:a@example.org", "scheme"},
		{"javascript:alert(1)", "javascript:alert(1)", "scheme"},
		{"data:text/plain,a", "data:text/plain,a", "scheme"},
		{"about:blank", "about:blank", "scheme"},
		{"gopher://example.org/", "gopher://example.org/", "scheme"},
		{"httpx://example.org/", "httpx://example.org/", "scheme"},
		{"a+b-c.d:x", "a+b-c.d:x", "scheme"},

		// authority, host, port
		{"http://user@example.org/", "http://user@example.org/", "http://example.org/"},
		{"http://user:pass@example.org/", "http://user:pass@example.org/", "http://example.org/"},
		{"http://@example.org/", "http://example.org/", ""},
		{"http://:@example.org/", "http://example.org/", ""},
		{"http://:pass@example.org/", "http://:pass@example.org/", "http://example.org/"},
		{"http://a:b@c:d@example.org/", "http://a:b%40c%3Ad@example.org/", "http://example.org/"},
		{"http://a@b@c/", "http://a%40b@c/", "http://c/"},
		{`http://a@b\@c/`, "http://a@b/@c/", "http://b/@c/"},
		{"http://a?@b/", "http://a/?@b/", ""},
		{"http://a#@b/", "http://a/#@b/", "http://a/"},
		{"http://", "-", ""},
		{"http:///", "-", ""},
		{"http://?", "-", ""},
		{"http://#", "-", ""},
		{"http://user@/", "-", ""},
		{"http://@/", "-", ""},
		{"http://:80/", "-", ""},
		{"http://user@:80/", "-", ""},
		{"http://example.org:/", "http://example.org/", ""},
		{"http://example.org:80/", "http://example.org/", ""},
		{"http://example.org:0080/", "http://example.org/", ""},
		{"http://example.org:443/", "http://example.org:443/", ""},
		{"https://example.org:443/", "https://example.org/", ""},
		{"https://example.org:80/", "https://example.org:80/", ""},
		{"http://example.org:0/", "http://example.org:0/", ""},
		{"http://example.org:08080/", "http://example.org:8080/", ""},
		{"http://example.org:65535/", "http://example.org:65535/", ""},
		{"http://example.org:65536/", "-", ""},
		{"http://example.org:8a/", "-", ""},
		{"http://example.org:-1/", "-", ""},
		{"http://example.org: 80/", "-", ""},
		{"http://example.org:8\t0/", "http://example.org/", ""},
		{"http://example.org:80:80/", "-", ""},

		// domains: percent-decoding, IDNA, forbidden code points
		{"http://ex%61mple.org/", "http://example.org/", ""},
		{"http://EX%41MPLE.org/", "http://example.org/", ""},
		{"http://b\u00fccher.example/", "http://xn--bcher-kva.example/", ""},
		{"http://B\u00dcCHER.example/", "http://xn--bcher-kva.example/", ""},
		{"http://bu\u0308cher.example/", "http://xn--bcher-kva.example/", ""},
		{"http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/", ""},
		{"http://XN--BCHER-KVA.example/", "http://xn--bcher-kva.example/", ""},
		{"http://fa\u00df.example/", "http://xn--fa-hia.example/", ""},
		{"http://\uff27\uff2f.example/", "http://go.example/", ""},
		{"http://example\u3002org/", "http://example.org/", ""},
		{"http://exa\u00admple.org/", "http://example.org/", ""},
		{"http://exa\u200bmple.org/", "http://example.org/", ""},
		{"http://\u65e5\u672c\u8a9e.example/", "http://xn--wgv71a119e.example/", ""},
		{"http://\u2615.example/", "http://xn--53h.example/", ""},
		{"http://\u03c0\u03b1\u03c1\u03ac\u03b4\u03b5\u03b9\u03b3\u03bc\u03b1.\u03b4\u03bf\u03ba\u03b9\u03bc\u03ae/",
			"http://xn--hxajbheg2az3al.xn--jxalpdlp/", ""},
		{"http://xn--a/", "http://xn--a/", ""}, // ASCII passes, whatever its Punycode means
		{"http://XN--A.example/", "http://xn--a.example/", ""},
		{"http://%78n--/", "http://xn--/", ""},
		{"http://xn--zz-.example/", "http://xn--zz-.example/", ""},
		{"http://xn--1ch/", "http://xn--1ch/", ""},
		{"http://xn--a%2541/", "-", ""},
		{"http://\u2260/", "http://xn--1ch/", ""},
		{"http://FA\u1e9e.de/", "http://xn--fa-hia.de/", ""},
		{"http://fa%E1%BA%9E.de/", "http://xn--fa-hia.de/", ""},
		{"http://xn--a.b\u00fccher/", "-", ""},
		{"http://exa mple.org/", "-", ""},
		{"http://exa%20mple.org/", "-", ""},
		{"http://a%00b/", "-", ""},
		{"http://a%2fb/", "-", ""},
		{"http://a%3Ab/", "-", ""},
		{"http://a%b/", "-", ""},
		{"http://a%25b/", "-", ""},
		{"http://a<b/", "-", ""},
		{"http://a^b/", "-", ""},
		{"http://a|b/", "-", ""},
		{"http://a]b/", "-", ""},
		{"http://a\x7fb/", "-", ""},
		{"http://a%80b/", "-", ""},
		{"http://a,b/", "http://a,b/", "host"},
		{"http://a!b/", "http://a!b/", "host"},
		{"http://a*b/", "http://a*b/", "host"},
		{"http://a'b;c=d/", "http://a'b;c=d/", "host"},
		{"http://a{b}~c/", "http://a{b}~c/", "host"},
		{"http://a..b/", "http://a..b/", "host"},
		{"http://.example.org/", "http://.example.org/", "host"},
		{"http://example.org./", "http://example.org./", "http://example.org/"},
		{"http://example.org../", "http://example.org../", "host"},
		{"http://my_host.example/", "http://my_host.example/", ""},
		{"http://ab--cd.example/", "http://ab--cd.example/", ""},
		{"http://" + strings.Repeat("a", 63) + ".example/", "http://" + strings.Repeat("a", 63) + ".example/", ""},
		{"http://" + strings.Repeat("a", 64) + ".example/", "http://" + strings.Repeat("a", 64) + ".example/", "host"},

		// IPv4
		{"http://192.0.2.1/", "http://192.0.2.1/", ""},
		{"http://192.0.2.1./", "http://192.0.2.1/", ""},
		{"http://192.0.513/", "http://192.0.2.1/", ""},
		{"http://192.513/", "http://192.0.2.1/", ""},
		{"http://3221225985/", "http://192.0.2.1/", ""},
		{"http://0xC0000201/", "http://192.0.2.1/", ""},
		{"http://0xc0.0.0x2.1/", "http://192.0.2.1/", ""},
		{"http://0300.0.02.01/", "http://192.0.2.1/", ""},
		{"http://%30xc0.0.2.%31/", "http://192.0.2.1/", ""},
		{"http://\uff11\uff19\uff12.0.2.1/", "http://192.0.2.1/", ""},
		{"http://0/", "http://0.0.0.0/", ""},
		{"http://0x/", "http://0.0.0.0/", ""},
		{"http://127.1/", "http://127.0.0.1/", ""},
		{"http://4294967295/", "http://255.255.255.255/", ""},
		{"http://4294967296/", "-", ""},
		{"http://192.0.2.256/", "-", ""},
		{"http://256.0.2.1/", "-", ""},
		{"http://192.0.2.08/", "-", ""},
		{"http://192.0.2.1.5/", "-", ""},
		{"http://192..2.1/", "-", ""},
		{"http://a.0.2.1/", "-", ""},
		{"http://a.0x1/", "-", ""},
		{"http://192.0.2.a/", "http://192.0.2.a/", ""},
		{"http://1e3/", "http://1e3/", ""},

		// IPv6
		{"http://[::1]/", "http://[::1]/", ""},
		{"http://[0:0:0:0:0:0:0:1]/", "http://[::1]/", ""},
		{"http://[::]:80/", "http://[::]/", ""},
		{"http://[2001:DB8::000A]:8080/", "http://[2001:db8::a]:8080/", ""},
		{"http://[2001:db8:0:0:1:0:0:1]/", "http://[2001:db8::1:0:0:1]/", ""},
		{"http://[1:2:0:4:5:6:7:8]/", "http://[1:2:0:4:5:6:7:8]/", ""},
		{"http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7:0]/", ""},
		{"http://[1:0:0:0:5:0:0:0]/", "http://[1::5:0:0:0]/", ""},
		{"http://[::ffff:192.0.2.1]/", "http://[::ffff:c000:201]/", ""},
		{"http://[::192.0.2.1]/", "http://[::c000:201]/", ""},
		{"http://[64:ff9b::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", ""},
		{"http://[::1/", "-", ""},
		{"http://[]/", "-", ""},
		{"http://[::1]a/", "-", ""},
		{"http://[::1%25eth0]/", "-", ""},
		{"http://[:::1]/", "-", ""},
		{"http://[1::2::3]/", "-", ""},
		{"http://[1:2]/", "-", ""},
		{"http://[1:2:3:4:5:6:7:8:9]/", "-", ""},
		{"http://[12345::]/", "-", ""},
		{"http://[::192.0.2]/", "-", ""},
		{"http://[::192.0.2.256]/", "-", ""},
		{"http://[::192.0.02.1]/", "-", ""},
		{"http://[example.org]/", "-", ""},

		// path: dot segments, backslashes, percent-encoding
		{"http://h/a/./b", "http://h/a/b", ""},
		{"http://h/a/../b", "http://h/b", ""},
		{"http://h/a/b/..", "http://h/a/", ""},
		{"http://h/a/b/.", "http://h/a/b/", ""},
		{"http://h/../../a", "http://h/a", ""},
		{"http://h/..", "http://h/", ""},
		{"http://h/a/%2e/b", "http://h/a/b", ""},
		{"http://h/a/%2E%2e/b", "http://h/b", ""},
		{"http://h/a/.%2e/b", "http://h/b", ""},
		{"http://h/a/%2e./b", "http://h/b", ""},
		{"http://h/a/...", "http://h/a/...", ""},
		{"http://h/a/..b/.c", "http://h/a/..b/.c", ""},
		{"http://h//a//b//", "http://h//a//b//", ""},
		{"http://h/a//../b", "http://h/a/b", ""},
		{"http://h/..//b", "http://h//b", ""},
		{`http://h\a\b`, "http://h/a/b", ""},
		{`http://h/a\..\b`, "http://h/b", ""},
		{"http://h/a b", "http://h/a%20b", ""},
		{"http://h/\"<>`{}", "http://h/%22%3C%3E%60%7B%7D", ""},
		{"http://h/!$&'()*+,;=:@[]|~_-.", "http://h/!$&'()*+,;=:@[]|~_-.", ""},
		{"http://h/\u00e9", "http://h/%C3%A9", ""},
		{"http://h/\U0001f600", "http://h/%F0%9F%98%80", ""},
		{"http://h/\x01\x7f", "http://h/%01%7F", ""},
		{"http://h/a\t\n\rb", "http://h/ab", ""},
		{"http://h/%41%7e%2d", "http://h/%41%7e%2d", "http://h/A~-"},
		{"http://h/%2f%3F%c3%a9", "http://h/%2f%3F%c3%a9", "http://h/%2F%3F%C3%A9"},
		{"http://h/%", "http://h/%", "http://h/%25"},
		{"http://h/%zz%2", "http://h/%zz%2", "http://h/%25zz%252"},

		// query and fragment
		{"http://h?", "http://h/?", ""},
		{"http://h?a", "http://h/?a", ""},
		{"http://h/??/../b", "http://h/??/../b", ""},
		{"http://h/?a b\"<>'", "http://h/?a%20b%22%3C%3E%27", ""},
		{"http://h/?`{}|^\\[]+", "http://h/?`{}|^\\[]+", ""},
		{"http://h/?\u00e9", "http://h/?%C3%A9", ""},
		{"http://h/?\x7f", "http://h/?%7F", ""},
		{"http://h/?%c3%41%", "http://h/?%c3%41%", "http://h/?%C3A%25"},
		{"http://h/?b=2&a=1&a=1", "http://h/?b=2&a=1&a=1", ""},
		{"http://h/a#b", "http://h/a#b", "http://h/a"},
		{"http://h/#", "http://h/#", "http://h/"},
		{"http://h/a#b?c/../d", "http://h/a#b?c/../d", "http://h/a"},
		{"http://h/?a#\u00e9", "http://h/?a#%C3%A9", "http://h/?a"},
	} {
		r.hold(t, "")
	}
}

// TestCaret has the one row in which the parser is behind the standard (whatwg/url#846).
func TestCaret(t *testing.T) {
	for _, ref := range []string{"http://h/a^b?c^d", "http://h/a%5eb?c^d", "http://h/a%5Eb?c^d"} {
		if got, err := Parse(ref); got != "http://h/a%5Eb?c^d" {
			t.Errorf("canonical form of %q is %q, %v", ref, got, err)
		}
	}
}

// TestStandardRelative has references on a page.
func TestStandardRelative(t *testing.T) {
	for _, r := range []row{
		{"", "http://example.org/foo/bar?q", ""},
		{"x", "http://example.org/foo/x", ""},
		{"./x", "http://example.org/foo/x", ""},
		{"../x", "http://example.org/x", ""},
		{"../../../x", "http://example.org/x", ""},
		{"..", "http://example.org/", ""},
		{".", "http://example.org/foo/", ""},
		{"x/../y", "http://example.org/foo/y", ""},
		{"x/", "http://example.org/foo/x/", ""},
		{"%2e%2e/x", "http://example.org/x", ""},
		{"/x", "http://example.org/x", ""},
		{`\x`, "http://example.org/x", ""},
		{`x\..\y`, "http://example.org/foo/y", ""},
		{"//h/x", "http://h/x", ""},
		{`\\h\x`, "http://h/x", ""},
		{`/\h`, "http://h/", ""},
		{"///h/x", "http://h/x", ""},
		{"?x", "http://example.org/foo/bar?x", ""},
		{"?", "http://example.org/foo/bar?", ""},
		{"#x", "http://example.org/foo/bar?q#x", "http://example.org/foo/bar?q"},
		{"#", "http://example.org/foo/bar?q#", "http://example.org/foo/bar?q"},
		{"x#y", "http://example.org/foo/x#y", "http://example.org/foo/x"},
		{"x?y/../z", "http://example.org/foo/x?y/../z", ""},
		{";x", "http://example.org/foo/;x", ""},
		{"x;y=1", "http://example.org/foo/x;y=1", ""},
		{":x", "http://example.org/foo/:x", ""},
		{"1:x", "http://example.org/foo/1:x", ""},
		{"x:y", "x:y", "scheme"},
		{"./x:y", "http://example.org/foo/x:y", ""},
		{"http:x", "http://example.org/foo/x", ""},
		{"http:/x", "http://example.org/x", ""},
		{"http:?x", "http://example.org/foo/bar?x", ""},
		{"http:#x", "http://example.org/foo/bar?q#x", "http://example.org/foo/bar?q"},
		{"http:", "http://example.org/foo/bar?q", ""},
		{"http://h", "http://h/", ""},
		{"https:x", "https://x/", ""},
		{"https:/x/y", "https://x/y", ""},
		{"https:", "-", ""},
		{"//", "-", ""},
		{"//:80", "-", ""},
		{" x ", "http://example.org/foo/x", ""},
		{"\tx\n", "http://example.org/foo/x", ""},
		{"x y", "http://example.org/foo/x%20y", ""},
		{"C|/x", "http://example.org/foo/C|/x", ""},
		{"javascript:x", "javascript:x", "scheme"},
	} {
		r.hold(t, "http://example.org/foo/bar?q#f")
	}
}

// FuzzParse holds Go's own parser to read a canonical URL as it is meant: same host, same path. Two
// readers that disagree on the host are how a request goes where nobody judged it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"http://user@h:80/a?b#c", "http://[::1]:1/%2f?%zz", "http://b\u00fccher.example:81//a",
		`http:\\h\@x/`, "https://0x7f.1/?a:b@c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		c, err := Parse(ref)
		if err != nil {
			return
		}
		for i := 0; i < len(c); i++ {
			if c[i] < 0x21 || c[i] > 0x7e {
				t.Errorf("Parse(%q) = %q has byte %#x", ref, c, c[i])
			}
		}
		if again, err := Parse(c); again != c || err != nil {
			t.Errorf("Parse(%q) = %q, then %q, %v", ref, c, again, err)
		}
		u, err := url.Parse(c)
		if err != nil {
			t.Fatalf("net/url does not read %q: %v", c, err)
		}
		target := u.EscapedPath()
		if u.RawQuery != "" || u.ForceQuery {
			target += "?" + u.RawQuery
		}
		if u.Scheme != Scheme(c) || u.Host != Host(c) || target != Path(c) || u.User != nil {
			t.Errorf("net/url reads %q as host %q, target %q", c, u.Host, target)
		}
	})
}
