package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// pageFaults are pages that are hard on who reads or prints them.
func pageFaults() []fault {
	return []fault{
		{name: "page-nested", answer: func(w *wire) { w.page("<a href=/found>in front</a>" + strings.Repeat("<div>", 2<<20)) }},
		{name: "page-attribute", answer: func(w *wire) { w.page("<p title='" + strings.Repeat("x", 5<<20) + "'><a href=/found>behind</a>") }},
		{name: "page-attributes", answer: func(w *wire) { w.page("<p" + strings.Repeat(" a=b", 1<<20) + "><a href=/found>behind</a>") }},
		{name: "page-comment", answer: func(w *wire) { w.page("<a href=/found>in front</a><!--" + strings.Repeat("<a href=/lost>-", 1<<18)) }},
		{name: "page-entities", answer: func(w *wire) {
			w.page("<a href='/found?" + strings.Repeat("&amp;&#x41;&NotEqualTilde;", 200) + "'>" +
				strings.Repeat("&amp", 1<<20))
		}},
		{name: "page-controls", answer: pageOfControls},
		{name: "page-names", answer: pageOfNames},
		{name: "page-urls", answer: pageOfURLs},
		{name: "page-random", answer: func(w *wire) { w.answer("200 OK", noise(w.host+w.target, 1<<20), "Content-Type: "+typeHTML) }},
	}
}

func pageOfControls(w *wire) {
	w.answer("200 OK", "<title>"+terminal+"</title><a href=\"/a"+terminal+"/b.html\">"+terminal+"</a> <a href='/c\r\nd\te.html'>lines</a>"+
		"<a href='/?"+terminal+"=1'>query</a><a href='http://"+terminal+".test/'>host</a>"+
		"<meta name=robots content='"+terminal+"'><base href='"+terminal+"'>", "Content-Type: text/html")
}

// pageOfNames has links that are dangerous as names of files, or in a shell.
func pageOfNames(w *wire) {
	var b strings.Builder
	for _, name := range []string{
		"/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/.hidden", "/-rf",
		"/$(reboot)", "/`id`",
		"/a;b|c&amp;d>e", "/%00", "/con.txt", "/~root", "/m-000000000001-00001.zst", "/log", "/a\\..\\b",
		"/" + strings.Repeat("n", 300), "/{in}", "/%25s%25n",
	} {
		fmt.Fprintf(&b, "<a href='%s'>%s</a>\n", name, name)
	}
	w.page(b.String())
}

// pageOfURLs has links that are none, or hardly.
func pageOfURLs(w *wire) {
	var b strings.Builder
	for _, u := range []string{
		"http://", "http:", "://", "//", "http://[::1", "http://[::g]/", "http://SELF:0/", "http://SELF:99999/",
		"http://SELF:x/",
		"http://a..test/", "http://" + strings.Repeat("a", 64) + ".test/", "http://" + strings.Repeat("a.", 200) +
			"test/", "http://-.test/",
		"http://xn--0.test/", "http://user:secret@SELF:80@x.test/", "http://%00.test/", "/%", "/%zz", "/%c0%ae", "?",
		"#",
		"/" + strings.Repeat("long", 2500), "/" + strings.Repeat("a/", 600), "/?" + strings.Repeat("p=1&amp;", 500),
		"mailto:a@b.test", "tel:1", "about:blank",
		"\xff\xfe", "http://soft\u00adhyphen.test/", "http:/one-slash.test", "http:\\\\back.test\\x",
		"http://1.2.3.4.5.test/",
	} {
		fmt.Fprintf(&b, "<a href='%s'>x</a>\n", strings.ReplaceAll(u, "SELF", w.host))
	}
	w.page(b.String())
}

// noise is n bytes that follow from name.
func noise(name string, n int) string {
	source := rand.NewChaCha8([32]byte{})
	source.Seed([32]byte([]byte(fmt.Sprintf("%032d", hash(name)))))
	b := make([]byte, n)
	_, _ = source.Read(b) // never fails
	return string(b)
}

// lieFaults say what they have, and have something else.
func lieFaults() []fault {
	const link = "<a href=/found>found</a>"
	lie := func(name, body string, fields ...string) fault {
		return fault{name: name, answer: func(w *wire) { w.answer("200 OK", body+w.host+link, fields...) }}
	}
	return []fault{
		lie("type-image", "<html>", "Content-Type: image/png"),
		lie("type-none", "<html>"),
		lie("type-html", assets()[assetGIF].body, "Content-Type: text/html"),
		lie("type-garbled", "<html>", "Content-Type: ;;text/html//,x"),
		lie("charset-utf16", "<html>", "Content-Type: text/html; charset=utf-16"),
		lie("charset-unknown", "<html>", "Content-Type: text/html; charset=klingon"),
		lie("charset-two", "<meta charset=shift_jis>\xe9", "Content-Type: text/html; charset=utf-8; charset=koi8-r"),
		lie("cookies", "<html>", cookies()...),
	}
}

// cookies want to be set on everything.
func cookies() []string {
	fields := []string{"Content-Type: " + typeHTML}
	for i, domain := range []string{"test", ".test", "h000.test", "", "com", "127.0.0.1"} {
		fields = append(fields, fmt.Sprintf("Set-Cookie: c%d=%s; Domain=%s; Path=/; Max-Age=999999999", i,
			strings.Repeat("x", 4000), domain))
	}
	return append(fields, "Set-Cookie: "+terminal, "Set-Cookie: =; ;;")
}
