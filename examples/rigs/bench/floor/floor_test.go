package main

import (
	"fmt"
	"testing"
)

func TestResolve(t *testing.T) {
	base := target{"h000.test", "/d0/p00001.html?x"}
	for _, c := range []struct {
		ref    string
		latin1 bool
		want   string
	}{
		{"p2.html", false, "h000.test/d0/p2.html"},
		{"../p2.html#s1", false, "h000.test/p2.html"},
		{"/a/../../b/./c/..", false, "h000.test/b/"},
		{"", false, "h000.test/d0/p00001.html?x"},
		{"#s1", false, "h000.test/d0/p00001.html?x"},
		{"?y", false, "h000.test/d0/p00001.html?y"},
		{"./", false, "h000.test/d0/"},
		{"HTTP://H001.TEST", false, "h001.test/"},
		{"//h001.test:80/%7e%c3%a9", false, "h001.test/~%C3%A9"},
		{"/café?café", false, "h000.test/caf%C3%A9?caf%C3%A9"},
		{"/café?café", true, "h000.test/caf%C3%A9?caf%E9"},
		{"mailto:nobody@h000.test", false, "none"},
		{"javascript:history.back()", false, "none"},
	} {
		got := "none"
		if u, ok := resolve(base, c.ref, c.latin1); ok {
			got = u.host + u.path
		}
		if got != c.want {
			t.Errorf("%q leads to %s, want %s", c.ref, got, c.want)
		}
	}
}

func TestLinks(t *testing.T) {
	a := &answer{status: 200, html: true, body: []byte(`<meta content="text/html; charset=iso-8859-1"><base href="/doc/x">
<!-- <a href=no1> --><script>"<a href='no2'>"</script><textarea><a href=no3></textarea><p title='<a href="no4">'>
<A CLASS=x HREF=a>x</A><a title="a > b" href='b&amp;c'>` + "<a\n\thref = \" \nd\t\"><area href=\"caf\xe9?caf\xe9\"><iframe src=\"e\"></iframe><a href=mailto:f>")}
	want := "[{h /doc/a} {h /doc/b&c} {h /doc/d} {h /doc/caf%C3%A9?caf%E9} {h /doc/e}]"
	if got := fmt.Sprint(links(target{"h", "/"}, a)); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

func TestRobots(t *testing.T) {
	r := parseRobots("User-agent: other\nDisallow: /\n\nUser-agent: *\r\nDisallow: /private/\nAllow: /private/open/\nDisallow: /*.cgi$\n")
	for path, want := range map[string]bool{"/": true, "/private/1": false, "/private/open/1": true, "/a.cgi": false,
		"/a.cgi/": true} {
		if got := r.allow(path); got != want {
			t.Errorf("%s is allowed: %v, want %v", path, got, want)
		}
	}
}
