package robots

import (
	"strings"
	"testing"
)

// A judgement is a robots.txt and what it says to some crawlers: for each, behind its name and a
// colon, paths that are allowed (+) and that are not (-).
type judgement struct{ what, body, says string }

// hold tests that the robots.txt says what it should.
func (j judgement) hold(t *testing.T) {
	t.Helper()
	crawler := ""
	for word := range strings.FieldsSeq(j.says) {
		if name, ok := strings.CutSuffix(word, ":"); ok {
			crawler = name
			continue
		}
		rules := Parse([]byte(strings.TrimPrefix(j.body, "\n")), crawler)
		if got := rules.Judge("http://example.com" + word[1:]).Allowed; got != (word[0] == '+') {
			t.Errorf("%s: to %s it says of %s allowed = %v", j.what, crawler, word[1:], got)
		}
	}
}

// TestRFC9309 goes through the RFC's sections and has each of its examples.
func TestRFC9309(t *testing.T) {
	const simple = `
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`
	for _, j := range []judgement{
		{"2.2.1: groups of one name are one", `
user-agent: ExampleBot
disallow: /foo
disallow: /bar

user-agent: ExampleBot
disallow: /baz
`, "ExampleBot: -/foo -/bar -/baz +/qux  otherbot: +/foo +/baz"},
		{"2.2.1: names are compared without case", "USER-AGENT: eXAMPLEbOT\ndisallow: /",
			"ExampleBot: -/  EXAMPLEBOT: -/"},
		{"2.2.1: the group of * is for those who have none", `
user-agent: *
disallow: /foo
disallow: /bar

user-agent: BazBot
disallow: /baz
`, "ExampleBot: -/foo -/bar +/baz  bazbot: +/foo +/bar -/baz"},
		{"2.2.1: no group, no rules", "user-agent: BazBot\ndisallow: /\n", "ExampleBot: +/"},
		{"2.2.1: groups of * are one", "User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent:" +
			" *\nDisallow: /b", "foobot: -/a -/b +/c"},
		{"2.2.1: * beside a name in one group",
			"User-agent: *\nUser-agent: foobot\nDisallow: /a\nUser-agent: foobot\nDisallow: /b",
			"foobot: -/a -/b  barbot: -/a +/b"},
		{"2.2.2: rules in front of any group are passed over", "disallow: /\nallow: /x\nuser-agent: a\ndisallow: /a",
			"foobot: +/  a: +/x -/a"},
		{"2.2.2: compared byte by byte, with case", "user-agent: *\ndisallow: /Foo/", "foobot: -/Foo/ +/foo/ +/FOO/"},
		{"2.2.2: table, first row", "user-agent: *\ndisallow: /foo/bar?baz=quz",
			"foobot: -/foo/bar?baz=quz +/foo/bar?baz=qux"},
		{"2.2.2: table, second row", "user-agent: *\ndisallow: /foo/bar?baz=https://foo.bar",
			"foobot: -/foo/bar?baz=https%3A%2F%2Ffoo.bar -/foo/bar?baz=https://foo.bar"},
		{"2.2.2: table, third row", "user-agent: *\ndisallow: /foo/bar/\u30c4",
			"foobot: -/foo/bar/%E3%83%84 -/foo/bar/%e3%83%84"},
		{"2.2.2: table, fourth row", "user-agent: *\ndisallow: /foo/bar/%E3%83%84", "foobot: -/foo/bar/%E3%83%84"},
		{"2.2.2: table, fifth row", "user-agent: *\ndisallow: /foo/bar/%62%61%7A", "foobot: -/foo/bar/baz"},
		{"2.2.2: bytes that are no UTF-8", "user-agent: *\ndisallow: /\xfc", "foobot: -/%FC +/%C3%BC"},
		{"2.2.2: a reserved byte is not its escape", "user-agent: *\ndisallow: /a%2Fb\ndisallow: /c;d",
			"foobot: -/a%2fb +/a/b -/c;d +/c%3Bd"},
		{"2.2.2: the most bytes decide", "user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /a/b/c",
			"foobot: -/a/x +/a/b/x -/a/b/c/x"},
		{"2.2.2: allow where both are as long", "user-agent: *\ndisallow: /a\nallow: /a\nallow: /b\ndisallow: /b",
			"foobot: +/a +/b"},
		{"2.2.2: an escape counts as it is compared", "user-agent: *\ndisallow: /%61%61\nallow: /aaa",
			"foobot: +/aaa -/aa"},
		{"2.2.2: an empty rule says nothing", "user-agent: *\nallow: /a\ndisallow:\ndisallow: /", "foobot: +/a -/b"},
		{"2.2.2: /robots.txt itself", "user-agent: *\ndisallow: /robots.txt\ndisallow: /",
			"foobot: +/robots.txt -/robots.txt.bak"},
		{"2.2.2: the query may begin at the first star", "user-agent: *\ndisallow: /*baz=https%3a%2f%2f",
			"foobot: -/foo/bar?baz=https://foo.bar"},
		{"2.2.2: behind a star %2F is no slash of a path", "user-agent: *\ndisallow: /*%2F*",
			"foobot: +/a/b/c -/a%2Fb -/a?b%2fc -/a?b/c"},
		{"2.2.2: behind a star %3A is no colon of a path", "user-agent: *\ndisallow: /*%3a",
			"foobot: +/a:b -/a%3Ab -/a?b:c"},
		{"2.2.2: behind a star allow is as it is written", "user-agent: *\ndisallow: /\nallow: /*/*\nallow: /*:%2F",
			"foobot: +/a/b -/a%2Fb +/a?b/c -/a?b%2Fc +/a?:%2F -/a?:b%2F"},
		{"2.2.2: behind a ? either is", "user-agent: *\ndisallow: /\nallow: /*?a=/\nallow: /b?a=%3A",
			"foobot: +/a?a=%2F +/a?a=/ +/b?a=:"},
		{"2.2.2: a form for a query is as long as it was written", "user-agent: *\ndisallow: /*a%2F\nallow: /x?a/bb",
			"foobot: +/x?a/bbc -/x?a/b"},
		{"2.2.2: a % that begins no escape", "user-agent: *\ndisallow: /b%zz\ndisallow: /x*40%$\ndisallow: /c%4zz",
			"foobot: -/b%25zz -/b%zz -/x/40%25 +/x/40%20 -/c%254zz +/b"},
		{"2.2.2: a % that a star or the end cuts", "user-agent: *\ndisallow: /*URL%*\ndisallow: /d%2",
			"foobot: -/URL%20 -/URL%25 -/URL%zz +/URL -/d%2F +/d%3A"},
		{"2.2.2: an escaped % is one", "user-agent: *\ndisallow: /100%25", "foobot: -/100%25 -/100%zz +/100%20"},
		{"2.2.2: a byte that no URL has", "user-agent: *\ndisallow: /a b\ndisallow: /c\"d",
			"foobot: -/a%20b +/a -/c%22d"},
		{"2.2.2: no path, but a query", "user-agent: *\ndisallow: /?", "foobot: -?query -/?query +/"},
		{"2.2.2: a fragment does not count", "user-agent: *\ndisallow: /b", "foobot: +/a#/b -/b#/a"},
		{"2.2.2: /robots.txt with a query is another page", "user-agent: *\ndisallow: /",
			"foobot: +/robots.txt -/robots.txt?x"},
		{"2.2.3: comments", "# all\nuser-agent: * # you\n#disallow: /a\ndisallow: /b#c", "foobot: +/a -/b"},
		{"2.2.3: $ is the end", "user-agent: *\ndisallow: /\nallow: /this/path/exactly$",
			"foobot: +/this/path/exactly -/this/path/exactly/ -/this/path/exactly?x"},
		{"2.2.3: $ elsewhere is itself", "user-agent: *\ndisallow: /a$b", "foobot: -/a$b -/a%24b +/a"},
		{"2.2.3: * is any bytes", "user-agent: *\ndisallow: /\nallow: /this/*/exactly",
			"foobot: +/this/path/exactly +/this//exactly +/this/a/b/exactly/x -/this/exactly"},
		{"2.2.3: a star that is meant", "user-agent: *\ndisallow: /path/file-with-a-%2A.html",
			"foobot: -/path/file-with-a-*.html -/path/file-with-a-%2a.html +/path/file-with-a-x.html"},
		{"2.2.3: a dollar that is meant", "user-agent: *\ndisallow: /path/foo-%24",
			"foobot: -/path/foo-$ -/path/foo-$x +/path/foo-"},
		{"2.2.4: other lines end no group",
			"User-agent: a\nSitemap: http://example.com/s.xml\nHost: x\nUser-agent: foobot\nDisallow: /",
			"a: -/  foobot: -/"},
		{"2.2.4: other lines say nothing", "User-agent: *\nNoindex: /a\nClean-param: x /b\nnonsense\nDisallow: /c",
			"foobot: +/a +/b -/c"},
		{"2.2: the line ends of all systems",
			"User-agent: foobot\rDisallow: /a\r\nDisallow: /b\nDisallow: /c\r\r\n\nDisallow: /d",
			"foobot: -/a -/b -/c -/d +/e"},
		{"2.2: blanks and tabs", " \tUser-agent\t: \tfoobot \t\n  disallow :/a\t\n", "foobot: -/a +/b"},
		{"2.2: blank lines within a group", "User-agent: foobot\n\n\nDisallow: /a\n\nDisallow: /b", "foobot: -/a -/b"},
		{"2.2: a byte order mark", "\xef\xbb\xbfUser-agent: foobot\nDisallow: /", "foobot: -/"},
		{"2.3: UTF-16, in which no line can be read", "\xff\xfe" +
			strings.Join(strings.Split("User-agent:*\nDisallow:/", ""), "\x00") + "\x00", "foobot: +/"},
		{"5.1: *", simple, "somebot: -/a.gif +/a.gif?x -/example/ -/example/page.html +/publications/" +
			" +/publications/a.gif +/"},
		{"5.1: foobot", simple, "foobot: -/ -/a.gif -/example/ +/example/page.html +/example/allowed.gif" +
			" -/publications/"},
		{"5.1: barbot and bazbot", simple,
			"barbot: -/example/page.html +/example/ +/a.gif  bazbot: -/example/page.html +/example/"},
		{"5.1: quxbot, at the end of the file", simple, "quxbot: +/ +/example/ +/a.gif"},
		{"5.2: longest match", `
User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
`, "foobot: +/example/page/ +/example/page/x.gif -/example/page/disallowed.gif"},
	} {
		j.hold(t)
	}
}
