package links

import (
	"strings"
	"testing"

	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/httphead"
)

const pageURL = "http://example.org/dir/page.html?q"

// TestKnown holds that a link which the first copy has given is counted once, however often it
// stands there.
func TestKnown(t *testing.T) {
	page := Page{URL: "http://a.test/x", First: "http://a.test/d/x", Body: []byte("<a href=/b><a href=/b><a href=c>")}
	r, err := NewFinder(Options{Kinds: All, Max: 10}).Find(page)
	if err != nil || r.Known != 1 || len(r.Links) != 1 || string(r.Links[0].URL) != "http://a.test/c" {
		t.Errorf("%v, known %d, links %q", err, r.Known, r.Links)
	}
}

// find gives the links of a page as "kind URL" or "kind URL anchor", the host of the page left out.
func find(t testing.TB, header httphead.Fields, body string, opt Options) ([]string, Result) {
	t.Helper()
	r, err := NewFinder(opt).Find(Page{URL: pageURL, Header: header, Body: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range r.Links {
		line := l.Kind.String() + " " + strings.TrimPrefix(string(l.URL), "http://example.org")
		if l.Anchor != "" {
			line += " " + l.Anchor
		}
		got = append(got, line)
	}
	return got, r
}

var everything = Options{Kinds: All, Agent: "examplebot", Obey: true, Max: 1000}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"thesis: HREF", `<A HREF=a><AREA href='b'><LINK href="c">`, "a /dir/a;area /dir/b;link /dir/c"},
		{"thesis: SRC", `<script src=a></script><input src=b><frame src=c><iframe src=d></iframe><img src=e>`,
			"script /dir/a;input /dir/b;frame /dir/c;iframe /dir/d;img /dir/e"},
		{"thesis: relative URL", `<a href="../NeverEnds/this_thesis.html">`, "a /NeverEnds/this_thesis.html"},
		{"thesis: BASE", `<BASE href="http://work.com/My/Tasks/Current/"><A href="../NeverEnds/this_thesis.html">thesis</A>`,
			"base http://work.com/My/Tasks/Current/;a http://work.com/My/Tasks/NeverEnds/this_thesis.html"},
		{"thesis: SRC of every tag", `<x-gallery src=a><svg><use href="b.svg#x"/><a xlink:href=c></svg>`,
			"other /dir/a;other /dir/b.svg;other /dir/c"},
		{"BASE below, relative, second ignored", `<a href=x><base href="/b/"><base href="/c/"><a href=y>`,
			"a /b/x;base /b/;base /c/;a /b/y"},
		{"BASE with an entity, and then others",
			`<base href="/b&amp;&amp;&amp;&amp;&amp;/"><a href="&lt;&lt;&lt;&lt;x">`,
			"base /b&&&&&/;a /b&&&&&/%3C%3C%3C%3Cx"},
		{"BASE that is none", `<base href="data:text/html,x"><a href=x>`, "a /dir/x"},
		{"BASE without HREF", `<base target=_top><base href=/b/><a href=x>`, "base /b/;a /b/x"},
		{"srcset", `<img src=a srcset="b 1x, c,d 2x ,e , f(1,2) 100w,g"><source srcset="h,">`,
			"img /dir/a;img /dir/b;img /dir/c,d;img /dir/e;img /dir/f(1,2);img /dir/g;img /dir/h"},
		{"media", `<video src=a poster=b><source src=c><track src=d></video><audio src=e><embed src=f><object data=g>`,
			"media /dir/a;img /dir/b;media /dir/c;media /dir/d;media /dir/e;embed /dir/f;embed /dir/g"},
		{"LINK by REL", `<link rel="next prefetch" href=a><link rel="shortcut ICON" href=b><link rel=stylesheet href=c><link rel=dns-prefetch href=//d>`,
			"link /dir/a;resource /dir/b;resource /dir/c"},
		{"refresh", `<meta http-equiv=Refresh content="0; URL='a b'"><meta http-equiv=refresh content="5;c"><meta http-equiv=refresh content="7"><meta http-equiv=refresh content="url=d">`,
			"refresh /dir/a%20b;refresh /dir/c"},
		{"entities", `<a href="a?b=1&amp;c=2&copy=3&#x2f;d">`, "a /dir/a?b=1&c=2&copy=3/d"},
		{"white space", "<a href='\n  a\tb\n'>", "a /dir/ab"},
		{"each once, none to itself", `<a href=a><a href=a#x><img src=a><a href="#top"><a href="?q"><a href="">`,
			"a /dir/a"},
		{"a place on a page with BASE", `<a href="#a"><base href="/b/">`, "a /b/"},
		{"other schemes", `<a href=mailto:x@example.org><a href=javascript:alert(1)><a href=tel:1><a href=a>`,
			"a /dir/a"},
		{"no markup inside", `<script>"<a href=a>"</script><style><a href=b></style><!-- <a href=c> --><textarea><a href=d></textarea><title><a href=e></title>`, ""},
		{"NOSCRIPT is markup", `<noscript><img src=a></noscript><noframes><a href=b></noframes>`,
			"img /dir/a;a /dir/b"},
		{"no FORM", `<form action=a><button formaction=b></form>`, ""},
		{"rel=nofollow", `<a href=a rel="noopener NoFollow"><a href=b rel=nofollower><area href=c rel=nofollow>`,
			"a /dir/b"},
		{"rel=ugc and rel=sponsored",
			`<a href=a rel=ugc><a href=b rel="sponsored noopener"><a href=c rel="ugc nofollow">`, "a /dir/a;a /dir/b"},
		{"nofollow at first, then not", `<a href=a rel=nofollow><a href=a>`, "a /dir/a"},
		{"first of two attributes", `<a href=a href=b>`, "a /dir/a"},
		{"broken", `<a href="a"<b>><a href=b<><a/href=c/><<a href=d><a href="e`,
			`a /dir/a;a /dir/b%3C;a /dir/c/;a /dir/d`},
		{"NUL, and a byte that makes it windows-1252", "<a href='a\x00\xff'>", "a /dir/a%EF%BF%BD%C3%BF"},
	} {
		got, _ := find(t, nil, c.body, everything)
		if strings.Join(got, ";") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, ";"), c.want)
		}
	}
}

// TestPlaces holds that places on the page itself are no links, nor left out, but for those that no
// URL can name.
func TestPlaces(t *testing.T) {
	place := func(n int) string { return `<a href="#` + strings.Repeat("x", n) + `">` }
	got, r := find(t, nil, place(1)+place(maxPlace)+place(canon.MaxLength), everything)
	if len(got) > 0 || r.Bad != 1 {
		t.Errorf("%q and %d bad ones, want none and one", got, r.Bad)
	}
	for c := range 256 { // canon is not asked for them; this is what it says
		letter := string([]byte{byte(c)})
		for _, ref := range []string{"#" + letter, "#a" + letter + "?/../b#" + letter, "#" +
			strings.Repeat(letter, maxPlace)} {
			if url, err := canon.Resolve(pageURL, ref); url != pageURL || err != nil {
				t.Errorf("%q leads to %q, %v", ref, url, err)
			}
		}
	}
}

func TestCharsets(t *testing.T) {
	html := func(charset string) httphead.Fields {
		return httphead.Fields{{Name: "Content-Type", Value: "text/html" + charset}}
	}
	const meta = `<meta charset=iso-8859-1>`
	for _, c := range []struct {
		name, want, body string
		header           httphead.Fields
	}{
		{"UTF-8 undeclared", "a /dir/%C3%BC?%C3%BC", strings.Repeat(" ", 2000) + "<a href='ü?ü'>", html("")},
		{"UTF-8 declared", "a /dir/%C3%BC?%C3%BC", "<a href='ü?ü'>", html("; charset=UTF-8")},
		{"byte order mark over HTTP", "a /dir/%C3%BC?%C3%BC", "\xef\xbb\xbf<a href='ü?ü'>", html("; charset=latin1")},
		{"latin1 by HTTP", "a /dir/%C3%BC?%FC#", "<a href='\xfc?\xfc#\xfc'>", html("; charset=latin1")},
		{"latin1 by META", "a /dir/%C3%BC?%FC", meta + "<a href='\xfc?\xfc'>", html("")},
		{"latin1 by META, entity", "a /dir/%C3%BC?%FC", meta + "<a href='&uuml;?&uuml;'>", html("")},
		{"latin1 undeclared", "a /dir/%C3%BC?%FC", "<a href='\xfc?\xfc'>", html("")},
		{"letter the charset lacks", "a /dir/x?%26%231046%3B", meta + "<a href='x?&#1046;'>", html("")},
		{"windows-1251", "a /dir/%D0%96?%C6", "<a href='\xc6?\xc6'>", html("; charset=windows-1251")},
		{"Shift_JIS", "a /dir/x?%82%A0%82%A2", "<a href='x?\x82\xa0\x82\xa2'>", html("; charset=shift_jis")},
		{"UTF-16", "a /dir/%C3%BC?%C3%BC",
			"\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00\xfc\x00?\x00\xfc\x00>\x00", html("")},
		{"UTF-8 declared, with a stray byte", "a /dir/%FC", "<a href='\xfc'>", html("; charset=utf-8")},
		{"unknown", "a /dir/a", "<a href=a>", html("; charset=klingon")},
	} {
		got, _ := find(t, c.header, c.body, everything)
		if strings.Join(got, ";") != strings.TrimSuffix(c.want, "#") {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, ";"), c.want)
		}
	}
}

func TestForbiddenPages(t *testing.T) {
	tag := func(values ...string) (f httphead.Fields) {
		for _, v := range values {
			f = append(f, httphead.Field{Name: "x-robots-tag", Value: v})
		}
		return f
	}
	for _, c := range []struct {
		name      string
		header    httphead.Fields
		body      string
		forbidden bool
	}{
		{"nothing", nil, "", false},
		{"meta nofollow", nil, `<meta name=ROBOTS content="index, NoFollow">`, true},
		{"meta none", nil, `<meta name="robots" content=none>`, true},
		{"meta below the link", nil, `<a href=b><meta name="robots" content=none>`, true},
		{"meta noindex", nil, `<meta name=robots content=noindex>`, false},
		{"meta noarchive and others", nil,
			`<meta name=robots content="noarchive, nosnippet, max-snippet: 0, unavailable_after: 2020-01-01">`, false},
		{"meta of this crawler", nil, `<meta name=ExampleBot content=nofollow>`, true},
		{"meta of another", nil, `<meta name=otherbot content=nofollow>`, false},
		{"field", tag("noindex, nofollow"), "", true},
		{"second field", tag("noindex", "none"), "", true},
		{"field of this crawler", tag("ExampleBot: nofollow"), "", true},
		{"field of another", tag("otherbot: noindex, nofollow"), "", false},
		{"directive with a colon", tag("max-snippet: 5, nofollow"), "", true},
		{"directive with a colon behind", tag("nofollow, unavailable_after: 1 Jan 2030"), "", true},
	} {
		body := c.body + "<a href=a>"
		if _, r := find(t, c.header, body, everything); r.Forbidden != c.forbidden ||
			(len(r.Links) == 0) != c.forbidden {
			t.Errorf("%s: forbidden %v with %d links, want %v", c.name, r.Forbidden, len(r.Links), c.forbidden)
		}
		opt := everything
		opt.Obey = false
		if got, _ := find(t, c.header, body+"<a href=n rel=nofollow>", opt); len(got) < 2 {
			t.Errorf("%s: not obeying, still only %q", c.name, got)
		}
	}
}

func TestHTTPFields(t *testing.T) {
	h := httphead.Fields{
		{Name: "link", Value: `</a>; rel="next", <b>;rel=canonical; title="x, <y>", <//cdn>; rel=preconnect`},
		{Name: "Link", Value: `<c>; rel="nofollow", <broken`},
		{Name: "Refresh", Value: "3;url=d"},
	}
	got, _ := find(t, h, `<base href="/elsewhere/">`, everything)
	if want := "header /a;header /dir/b;refresh /elsewhere/d;base /elsewhere/"; strings.Join(got, ";") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ";"), want)
	}
	for _, c := range []struct{ location, want string }{
		{"/x#y", "http://example.org/x"},
		{"//other/", "http://other/"},
		{"mailto:x", ""},
		{"", ""},
		{pageURL + "#again", ""},
	} {
		if to, ok := Redirect(pageURL, httphead.Fields{{Name: "Location",
			Value: c.location}}); ok != (c.want != "") || ok && to != c.want {
			t.Errorf("Location %q leads to %q, %v; want %q", c.location, to, ok, c.want)
		}
	}
}

func TestAnchors(t *testing.T) {
	opt := everything
	opt.Anchors = true
	got, _ := find(t, nil, `<a href=a> one <b>&amp;</b>
		two</a> out <a href=b><img alt="a picture"></a><a href=c>three<a href=d>four</a><area href=e alt=five><a href=f>`+
		strings.Repeat("ü", 200)+"</a>", opt)
	want := []string{"a /dir/a one & two", "a /dir/b a picture", "a /dir/c three", "a /dir/d four",
		"area /dir/e five", "a /dir/f " + strings.Repeat("ü", MaxAnchor/2)}
	if strings.Join(got, ";") != strings.Join(want, ";") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestKindsAndCounts(t *testing.T) {
	body := `<a href=a><img src=b><a href="http://[x"><a href=ftp:c><a href=d rel=nofollow><a href=e>`
	opt := everything
	for _, c := range []struct{ kinds, want string }{
		{"all", "a /dir/a;img /dir/b;a /dir/e"},
		{"pages", "a /dir/a;a /dir/e"},
		{"all,-a", "img /dir/b"},
		{" img , frame", "img /dir/b"},
	} {
		var err error
		if opt.Kinds, err = ParseSet(c.kinds); err != nil {
			t.Fatal(err)
		}
		if got, _ := find(t, nil, body, opt); strings.Join(got, ";") != c.want {
			t.Errorf("-kinds %s: %v, want %s", c.kinds, got, c.want)
		}
	}
	for _, bad := range []string{"", "img,imgs", "-all", "all,-all"} {
		if _, err := ParseSet(bad); err == nil {
			t.Errorf("ParseSet(%q) gives no error", bad)
		}
	}
	opt = everything
	opt.Max = 5
	if _, r := find(t, nil, body, opt); r.Bad != 1 || r.Scheme != 1 || r.Nofollow != 1 || r.Over != 1 {
		t.Errorf("counts are %+v", r)
	}
}

// FuzzFind feeds any bytes as a page: canonical links within the bounds, each once, must come out.
func FuzzFind(f *testing.F) {
	f.Add("text/html; charset=shift_jis", `<base href=//x><a href=a?\x82><img srcset="a 1x,b">`)
	f.Add("", "\xff\xfe<\x00a\x00>\x00")
	f.Add("text/html", `<meta http-equiv=refresh content="0;url='x"><noscript><plaintext><a href=&#0;`)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		h := httphead.Fields{{Name: "Content-Type", Value: contentType}, {Name: "Link", Value: body}}
		opt := Options{Kinds: All, Max: 50, Anchors: true}
		r, err := NewFinder(opt).Find(Page{URL: pageURL, Header: h, Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, l := range r.Links {
			url := string(l.URL)
			if seen[url] || !strings.HasPrefix(url, "http") || strings.ContainsAny(url, " \n#") ||
				len(l.Anchor) > MaxAnchor {
				t.Errorf("link %+v", l)
			}
			seen[url] = true
		}
		if len(r.Links)+r.Scheme+r.Bad > opt.Max {
			t.Errorf("%d links", len(r.Links))
		}
	})
}
