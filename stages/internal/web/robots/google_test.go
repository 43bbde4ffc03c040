package robots

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGoogle has the cases of the tests of Google's parser (robots_test.cc, in its order and with
// its names) and of Google's documentation of robots.txt. Where RFC 9309 says otherwise it is
// followed, and the row says so.
func TestGoogle(t *testing.T) {
	const groups = `allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
`
	const page = "user-agent: FooBot\n"
	for _, j := range []judgement{
		{"SystemTest", "", "FooBot: +/"},
		{"SystemTest: no path is the path /", page + "disallow: /\n", "FooBot: -"},
		{"LineSyntax_Line", page + "disallow: /\n", "FooBot: -/x/y"},
		{"LineSyntax_Line: unknown keys", "foo: FooBot\nbar: /\n", "FooBot: +/x/y"},
		{"LineSyntax_Line: the colon is missing", "user-agent FooBot\ndisallow /\n", "FooBot: -/x/y"},
		{"LineSyntax_Groups", groups, "FooBot: +/x/b +/z/d -/y/c -/foo/bar/ BarBot: +/y/c +/w/a -/z/d -/foo/bar/" +
			" BazBot: +/z/d -/foo/bar/"},
		{"LineSyntax_Groups_OtherRules: Sitemap",
			"User-agent: BarBot\nSitemap: https://foo.bar/sitemap\nUser-agent: *\nDisallow: /\n",
			"FooBot: -/ BarBot: -/"},
		{"LineSyntax_Groups_OtherRules: unknown",
			"User-agent: FooBot\nInvalid-Unknown-Line: unknown\nUser-agent: *\nDisallow: /\n", "FooBot: -/ BarBot: -/"},
		{"Multiple_Useragents", "user-agent: googlebot-news\nDisallow: /bar/\n\nuser-agent: *\nDisallow:" +
			" /baz/\n\n\nuser-agent: googlebot\nDisallow: /foo/\n",
			"googlebot: -/foo/ +/bar/ +/baz/ +/qux/ googlebot-news: +/foo/ -/bar/ +/baz/ +/qux/ otherbot: +/foo/" +
				" -/baz/"},
		{"REPLineNamesCaseInsensitive: upper", "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n", "FooBot: +/x/y -/a/b"},
		{"REPLineNamesCaseInsensitive: camel", "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /\n", "FooBot: +/x/y -/a/b"},
		{"UserAgentValueCaseInsensitive", "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n",
			"Foo: +/x/y -/a/b foo: +/x/y -/a/b"},
		{"AcceptUserAgentUpToFirstSpace",
			"User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n", "Foo: +/x/y -/a"},
		{"GlobalGroups_Secondary", "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n",
			"FooBot: -/x/y BarBot: +/x/y"},
		{"GlobalGroups_Secondary: no group",
			"user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\nuser-agent: BazBot\ndisallow: /\n",
			"QuxBot: +/x/y"},
		{"AllowDisallow_Value_CaseSensitive", page + "disallow: /X/\n", "FooBot: +/x/y -/X/y"},
		{"LongestMatch", page + "disallow: /x/page.html\nallow: /x/\n", "FooBot: -/x/page.html"},
		{"LongestMatch: allow", page + "allow: /x/page.html\ndisallow: /x/\n", "FooBot: +/x/page.html -/x/"},
		{"LongestMatch: empty", page + "disallow: \nallow: \n", "FooBot: +/x/page.html"},
		{"LongestMatch: equal", page + "disallow: /\nallow: /\n", "FooBot: +/x/page.html"},
		{"LongestMatch: the slash", page + "disallow: /x\nallow: /x/\n", "FooBot: -/x +/x/"},
		{"LongestMatch: equal paths", page + "disallow: /x/page.html\nallow: /x/page.html\n", "FooBot: +/x/page.html"},
		{"LongestMatch: a star counts", page + "allow: /page\ndisallow: /*.html\n", "FooBot: -/page.html +/page"},
		{"LongestMatch: more than the star", page + "allow: /x/page.\ndisallow: /*.html\n",
			"FooBot: +/x/page.html -/x/y.html"},
		{"LongestMatch: own group", "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n",
			"FooBot: +/x/page -/y/page"},
		{"Encoding", page + "Disallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n",
			"FooBot: +/foo/bar?qux=taz&baz=http://foo.bar?tar&par"},
		{"Encoding: three bytes", page + "Disallow: /\nAllow: /foo/bar/ツ\n", "FooBot: +/foo/bar/%E3%83%84"},
		{"Encoding: three bytes, escaped", page + "Disallow: /\nAllow: /foo/bar/%E3%83%84\n",
			"FooBot: +/foo/bar/%E3%83%84"},
		{"Encoding: three bytes in the URL, which Google leaves to the caller", page +
			"Disallow: /\nAllow: /foo/bar/ツ\n", "FooBot: +/foo/bar/ツ"},
		{"Encoding: letters, which Google does not decode and RFC 9309 does", page +
			"Disallow: /\nAllow: /foo/bar/%62%61%7A\n", "FooBot: +/foo/bar/%62%61%7A +/foo/bar/baz"},
		{"SpecialCharacters: *", page + "Disallow: /foo/bar/quz\nAllow: /foo/*/qux\n",
			"FooBot: -/foo/bar/quz +/foo/quz +/foo//quz +/foo/bax/quz"},
		{"SpecialCharacters: $", page + "Disallow: /foo/bar$\nAllow: /foo/bar/qux\n",
			"FooBot: -/foo/bar +/foo/bar/qux +/foo/bar/ +/foo/bar/baz"},
		{"SpecialCharacters: #", page + "# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n",
			"FooBot: +/foo/bar -/foo/quz"},
		{"IndexHTMLisDirectory, which Google has beyond RFC 9309",
			"User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n",
			"foobot: -/allowed-slash/ -/allowed-slash/index.htm +/allowed-slash/index.html -/anyother-url"},

		{"DocumentationChecks: /fish", page + "disallow: /\nallow: /fish\n",
			"FooBot: -/bar +/fish +/fish.html +/fish/salmon.html +/fishheads +/fishheads/yummy.html" +
				" +/fish.html?id=anything -/Fish.asp -/catfish -/?id=fish"},
		{"DocumentationChecks: /fish*", page + "disallow: /\nallow: /fish*\n",
			"FooBot: -/bar +/fish +/fish.html +/fish/salmon.html +/fishheads +/fishheads/yummy.html" +
				" +/fish.html?id=anything -/Fish.bar -/catfish -/?id=fish"},
		{"DocumentationChecks: /fish/", page + "disallow: /\nallow: /fish/\n",
			"FooBot: -/bar +/fish/ +/fish/salmon +/fish/?salmon +/fish/salmon.html +/fish/?id=anything -/fish" +
				" -/fish.html -/Fish/Salmon.html"},
		{"DocumentationChecks: /*.php", page + "disallow: /\nallow: /*.php\n",
			"FooBot: -/bar +/filename.php +/folder/filename.php +/folder/filename.php?parameters" +
				" +//folder/any.php.file.html +/filename.php/ +/index?f=filename.php/ -/php/ -/index?php" +
				" -/windows.PHP"},
		{"DocumentationChecks: /*.php$", page + "disallow: /\nallow: /*.php$\n",
			"FooBot: -/bar +/filename.php +/folder/filename.php -/filename.php?parameters -/filename.php/" +
				" -/filename.php5 -/php/ -/filename?php -/aaaphpaaa -//windows.PHP"},
		{"DocumentationChecks: /fish*.php", page + "disallow: /\nallow: /fish*.php\n",
			"FooBot: -/bar +/fish.php +/fishheads/catfish.php?parameters -/Fish.PHP"},
		{"DocumentationChecks: precedence 1", page + "allow: /p\ndisallow: /\n", "FooBot: +/page"},
		{"DocumentationChecks: precedence 2", page + "allow: /folder\ndisallow: /folder\n", "FooBot: +/folder/page"},
		{"DocumentationChecks: precedence 3", page + "allow: /page\ndisallow: /*.htm\n", "FooBot: -/page.htm"},
		{"DocumentationChecks: precedence 4", page + "allow: /page\ndisallow: /*.ph\n", "FooBot: +/page.php5"},
		{"DocumentationChecks: precedence 5", page + "allow: /$\ndisallow: /\n", "FooBot: +/ -/page.html"},
		{"documentation: all URLs", page + "disallow: /*\n", "FooBot: -/ -/a/b?c"},
		{"documentation: a path without its slash", page + "disallow: fish\n", "FooBot: +/fish +/fish/fish"},
		{"documentation: a group for several",
			"user-agent: a\nuser-agent: b\ndisallow: /c\n\nuser-agent: e\nuser-agent: f\ndisallow: /g\n",
			"a: -/c +/g b: -/c e: +/c -/g f: -/g h: +/c +/g"},
		{"documentation: groups joined",
			"user-agent: googlebot-news\ndisallow: /fish\n\nuser-agent: *\ndisallow: /carrots\n\nuser-agent:" +
				" googlebot-news\ndisallow: /shrimp\n",
			"googlebot-news: -/fish -/shrimp +/carrots other: -/carrots +/fish"},
		{"misspelt keys", "useragent: FooBot\ndissallow: /a\ndissalow: /b\ndisalow: /c\ndiaslow: /d\ndiasllow:" +
			" /e\ndisallaw: /f\n", "FooBot: -/a -/b -/c -/d -/e -/f +/g"},
	} {
		j.hold(t)
	}
}

// TestGoogleLines has Google's tests of line ends and byte order marks: which line decides.
func TestGoogleLines(t *testing.T) {
	unix := "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n"
	const bom = "\xef\xbb\xbf"
	for _, tt := range []struct {
		what, body string
		line       int // that forbids / to bar; 0: none does
	}{
		{"unix", unix, 6},
		{"dos", strings.ReplaceAll(unix, "\n", "\r\n"), 6},
		{"mac", strings.ReplaceAll(unix, "\n", "\r"), 6},
		{"no newline at the end", strings.TrimSpace(unix), 6},
		{"mixed", "User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /", 6},
		{"byte order mark", bom + "User-Agent: bar\nDisallow: /\n", 2},
		{"two bytes of one", bom[:2] + "User-Agent: bar\nDisallow: /\n", 2},
		{"one byte of one", bom[:1] + "User-Agent: bar\nDisallow: /\n", 2},
		{"a broken one spoils its line", "\xef\x11\xbfUser-Agent: bar\nDisallow: /\n", 0},
		{"one that is not at the start, too", "User-Agent: bar\n" + bom + "Disallow: /\n", 0},
	} {
		if v := Parse([]byte(tt.body), "bar").Judge("http://foo.bar/"); v.Line != tt.line ||
			v.Allowed != (tt.line == 0) {
			t.Errorf("%s: %+v, want line %d", tt.what, v, tt.line)
		}
	}
}

// TestLongLine holds Google's bound on a line: what is behind byte 16,663 of it does not count. No
// URL is long enough for that to matter unless the pattern has thousands of stars.
func TestLongLine(t *testing.T) {
	long := "/x/" + strings.Repeat("a", 2083*8-len("disallow: /x/")-1)
	body := "user-agent: FooBot\ndisallow: " + long + "/qux\n"
	rules := Parse([]byte(body), "FooBot")
	if !rules.Judge("http://foo.bar/fux").Allowed || rules.Judge("http://foo.bar"+long+"/fux").Allowed {
		t.Error("a line is not cut where Google cuts it")
	}
}

func TestSitemaps(t *testing.T) {
	body := "Sitemap: http://Example.com:80/a.xml # main\nUser-agent: foobot\nsite-map:" +
		" https://cdn.example.net/b.xml.gz\r\n" +
		"Disallow: /\nSITEMAP:http://example.com/a.xml\nSitemap: /relative.xml\nSitemap:" +
		" ftp://example.com/x\nSitemap:\nSitemap: http://example.com/\u00fc\x1b\n"
	want := []string{"http://example.com/a.xml", "https://cdn.example.net/b.xml.gz", "http://example.com/%C3%BC"}
	for _, crawler := range []string{"foobot", "other"} {
		if got := Parse([]byte(body), crawler).Sitemaps(); !slices.Equal(got, want) {
			t.Errorf("sitemaps for %s: %q, want %q", crawler, got, want)
		}
	}
	var many strings.Builder
	many.WriteString("Sitemap: nonsense\n")
	for i := range 3 * MaxSitemaps {
		many.WriteString("Sitemap: http://example.com/" + strconv.Itoa(i) + "\n")
	}
	if got := Parse([]byte(many.String()), "foobot").Sitemaps(); len(got) != MaxSitemaps-1 ||
		got[MaxSitemaps-2] != "http://example.com/98" {
		t.Errorf("%d sitemaps are kept, the last is %s", len(got), got[len(got)-1])
	}
}

func TestDecidingGroup(t *testing.T) {
	body := "User-agent: bar\nUser-agent: foobot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent:" +
		" FooBot\nDisallow: /c\n"
	for _, tt := range []struct {
		crawler, path string
		want          Verdict
	}{
		{"foobot", "/a", Verdict{Line: 3, Group: 2}},
		{"foobot", "/c", Verdict{Line: 9, Group: 8}},
		{"foobot", "/b", Verdict{Allowed: true, Group: 2}},
		{"bar", "/a", Verdict{Line: 3, Group: 1}},
		{"other", "/b", Verdict{Line: 6, Group: 5}},
		{"other", "/a", Verdict{Allowed: true, Group: 5}},
	} {
		if got := Parse([]byte(body), tt.crawler).Judge("http://h" + tt.path); got != tt.want {
			t.Errorf("to %s of %s: %+v, want %+v", tt.crawler, tt.path, got, tt.want)
		}
	}
	if got := Parse([]byte("User-agent: a\nDisallow: /"),
		"foobot").Judge("http://h/"); got != (Verdict{Allowed: true}) {
		t.Errorf("no group: %+v", got)
	}
}
