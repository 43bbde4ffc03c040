package robots

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jimsmart/grobotstxt"

	"multitext/stages/internal/web/canon"
)

// FuzzMatch compares match with that of a port of Google's parser, which is slower.
func FuzzMatch(f *testing.F) {
	f.Add("/*.php$", "/folder/filename.php")
	f.Add("/fish*.php", "/fishheads/catfish.php?parameters")
	f.Add("*a*a*b$", "aaaaaab")
	f.Add("/a$b", "/a$b")
	f.Add("*$", "")
	f.Add("**", "/")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 1000 || len(path) > 1000 {
			t.Skip("the oracle takes the product of the lengths")
		}
		p := newPattern(pattern)
		if got, want := p.match(path), grobotstxt.Matches(path, pattern); got != want {
			t.Errorf("match(%q, %q) = %v, grobotstxt says %v", pattern, path, got, want)
		}
	})
}

// FuzzLines compares directives with what a port of Google's parser reads. Its escaping of patterns
// is left out: it makes control bytes of some (v1.0.3).
func FuzzLines(f *testing.F) {
	f.Add("\ufeffUser-agent: a # b\r\n\r\ndisalow /x\rAllow:/y:z\n\nSite-map http://a/\nuseragent * *\nCrawl-Delay: 1")
	f.Add("Allow:" + strings.Repeat("/", maxLine) + "\nDisallow:/")
	f.Add("Disallow \t/a\fb\n \v: /\nallowed: /\nno value:\n:no key\none\ntwo three four")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsFunc(strings.TrimPrefix(text, "\ufeff"),
			func(r rune) bool { return r >= 0x80 || r == '%' }) {
			t.Skip("the oracle escapes what is not ASCII otherwise")
		}
		var want recorder
		grobotstxt.Parse(text, &want)
		var got recorder
		for line, d := range directives(text) {
			got = append(got, read{line, d})
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %q\n%v\nanother reads\n%v", text, got, want)
		}
	})
}

// A recorder keeps what the other parser reads, but for keys that directives does not know.
type recorder []read

type read struct {
	line int
	directive
}

func (r *recorder) add(line int, k key, value string) {
	*r = append(*r, read{line, directive{k, value}})
}

func (r *recorder) HandleRobotsStart()              {}
func (r *recorder) HandleRobotsEnd()                {}
func (r *recorder) HandleUserAgent(n int, v string) { r.add(n, userAgent, v) }
func (r *recorder) HandleAllow(n int, v string)     { r.add(n, allow, v) }
func (r *recorder) HandleDisallow(n int, v string)  { r.add(n, disallow, v) }
func (r *recorder) HandleSitemap(n int, v string)   { r.add(n, sitemap, v) }
func (r *recorder) HandleUnknownAction(n int, k, v string) {
	if strings.EqualFold(k, "crawl-delay") {
		r.add(n, crawlDelay, v)
	}
}

// FuzzJudge looks for bytes that break the parser, and holds what no robots.txt may undo.
func FuzzJudge(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a%2\nCrawl-delay: 1e9\n"), "/a%2f%")
	f.Add([]byte("user-agent foobot\ndisalow /*$*$\n"), "?*$")
	f.Add([]byte("sitemap: HTTP://a:80\nSitemap /b\nUser-agent:foobot\nDisallow:/"), "/")
	f.Add([]byte("\xef\xbbUser-agent:*\x00\rAllow:\xff"), "/\xff")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		r := Parse(body, "foobot")
		if d := r.CrawlDelay(); d < 0 || d > MaxDelay {
			t.Errorf("crawl-delay = %v", d)
		}
		if !r.Judge("http://h/robots.txt").Allowed {
			t.Error("/robots.txt is forbidden")
		}
		v := r.Judge("http://h" + path)
		if !v.Allowed && (v.Line == 0 || v.Group == 0 || v.Group >= v.Line) {
			t.Errorf("forbidden by line %d of the group at %d", v.Line, v.Group)
		}
		if v.Undecided && v.Allowed {
			t.Error("allowed, though nobody can tell")
		}
		if len(r.Sitemaps()) > MaxSitemaps {
			t.Errorf("%d sitemaps", len(r.Sitemaps()))
		}
		for _, url := range r.Sitemaps() {
			if c, err := canon.Parse(url); c != url {
				t.Errorf("the sitemap %q is not canonical: %v", url, err)
			}
		}
	})
}

// FuzzNormalize holds that the normal form is one: normalizing it changes nothing.
// (A "*" or "$" comes out of a pattern with its meaning, so only URLs are tried.)
func FuzzNormalize(f *testing.F) {
	f.Add("/%62%61%7a?x=%2f%3A&%zz=*$")
	f.Add("/ツ%")
	f.Fuzz(func(t *testing.T, s string) {
		once := normalize(s, forURL)
		if strings.ContainsAny(once, "*$ ") {
			t.Errorf("normalize(%q) = %q keeps a byte that has a meaning", s, once)
		}
		if twice := normalize(once, forURL); twice != once {
			t.Errorf("normalize(%q) = %q, again %q", s, once, twice)
		}
	})
}

// BenchmarkParse has bodies as long as they may be: of rules, and of sitemaps that are dear to
// read.
func BenchmarkParse(b *testing.B) {
	for name, line := range map[string]string{"rules": "Disallow: /a*b\n", "sitemaps": "Sitemap:http://\u00fc.a/\n"} {
		body := []byte("User-agent: *\n" + strings.Repeat(line, MaxBody/len(line)-2))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				Parse(body, "foobot")
			}
		})
	}
}

// BenchmarkJudge has hostile cases, as many rules as fit and a long path: patterns that match late
// or not at all, and such as are cheap but many.
func BenchmarkJudge(b *testing.B) {
	url := "http://example.com/" + strings.Repeat("a", 2000)
	for name, line := range map[string]string{"stars": "Allow:/*a*a*a*a*b\n",
		"long": "Allow:*aaaaaaaaaaaaaaaaaaaab\n", "short": "Allow:*ab\n", "plain": "Allow:/b\n"} {
		r := Parse([]byte("User-agent:*\n"+strings.Repeat(line, MaxBody/len(line)-2)), "foobot")
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Judge(url)
			}
		})
	}
}
