package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestReachScript holds testdata/reach.py to a small web in which each page is
// found in a way of its own, or must not be found.
func TestReachScript(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here: testdata/reach.py is not tried")
	}
	same := `<a href="next.html">next</a>`
	files := map[string]string{
		"a.test/robots.txt": "User-agent: other\nDisallow: /\n\nUser-agent: Examplebot\nUser-agent: more\n" +
			"Disallow: /no/\nAllow: /no/yes*.html$\nDisallow: /*?secret\n",
		"a.test/index.html": `<!-- <a href="comment.html"> --><script>"<a href='script.html'>"</script>
			<title><a href="title.html"></title><textarea><a href="area.html"></textarea>
			<noscript><a href="noscript.html">x</a></noscript>
			<A HREF = ' /docs#top '>x</a> <a href="HTTP://A.Test:80/x/../%7eb.html">x</a> <a href=//b.test>x</a>
			<a href="https://b.test/tls.html">x</a> <a href="mailto:x">x</a> <a rel="x NoFollow" href="nofollow.html">x</a>
			<a href="no/page.html">x</a> <a href="no/yes1.html">x</a> <a href="q.html?secret">x</a> <a href="q.html?copy=1&copy=2&amp;n=&#49;">x</a>
			<img srcset="small.gif 1x, large,1.gif 2x,big.gif"> <iframe src="frame.html"><a href="inside.html"></iframe>
			<em A HREF=em.html>x</em> <link rel="preconnect" href="early.html"> <video poster=poster.gif></video>
			<a href="one/page.html">x</a><a href="two/page.html">x</a> <a href="/a b/%c3%a9\é.html">x</a> <a href="http://c.test/">x</a>`,
		"a.test/docs/index.html":    `<base href="/elsewhere/x"><link rel=next href="rel.html">`,
		"a.test/elsewhere/rel.html": `<meta name=ROBOTS content="noindex, NOFOLLOW"><a href="unseen.html">x</a>`,
		"a.test/~b.html":            `<meta http-equiv=refresh content="0; URL='refreshed.htm'">`,
		"a.test/refreshed.htm":      "\xe9 <a href='?q=\xe9'>latin</a>",
		"a.test/noscript.html":      "",
		"a.test/no/page.html":       `<a href="/never.html">x</a>`,
		"a.test/no/yes1.html":       "yes",
		"a.test/q.html":             "q",
		"a.test/frame.html":         "frame",
		"a.test/data.xml":           `<a href="xml.html">`,
		"a.test/one/page.html":      same,
		"a.test/two/page.html":      same,
		"a.test/a b/é/é.html":       "é",
		"b.test/index.html":         `<a href="//a.test/data.xml">x</a>`,
	}
	const want = `http://a.test/	200
http://a.test/a%20b/%C3%A9/%C3%A9.html	200
http://a.test/big.gif	404
http://a.test/data.xml	200
http://a.test/docs	301
http://a.test/docs/	200
http://a.test/elsewhere/rel.html	200
http://a.test/elsewhere/x	404
http://a.test/em.html	404
http://a.test/frame.html	200
http://a.test/large,1.gif	404
http://a.test/no/page.html	forbidden
http://a.test/no/yes1.html	200
http://a.test/noscript.html	200
http://a.test/one/next.html	404
http://a.test/one/page.html	200
http://a.test/poster.gif	404
http://a.test/q.html?copy=1&copy=2&n=1	200
http://a.test/q.html?secret	forbidden
http://a.test/refreshed.htm	200
http://a.test/refreshed.htm?q=%E9	200
http://a.test/small.gif	404
http://a.test/two/next.html	404
http://a.test/two/page.html	200
http://a.test/~b.html	200
http://b.test/	200
`
	out, err := exec.Command(python, "testdata/reach.py", makeWeb(t, files), "http://a.test/").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(out); got != want {
		t.Errorf("in one list only: %q", differences(strings.Split(got, "\n"), strings.Split(want, "\n")))
	}
}
