package main

import (
	"strconv"
	"strings"
)

// appendPage appends page i of host, a whole HTML document, to b.
func (w *synthetic) appendPage(b []byte, host, i int) []byte {
	d := w.shape.dice(host, i)
	links := w.shape.links(d, host, i)
	text, latin1 := w.prose.utf8, isLatin1(i)
	if latin1 {
		text = w.prose.latin1
	}
	size := 12_400 + d.roll(3_200)
	start := len(b)

	b = appendHead(b, host, i)
	b = append(b, `<body><h1 id="s0">`...)
	b = append(b, "Page "+strconv.Itoa(i)+"</h1>\n"...)
	for _, l := range links {
		b = append(b, "<p>"...)
		b = append(b, text[d.roll(paragraphs)]...)
		b = l.append(b, d, host, i, latin1)
		b = append(b, "</p>\n"...)
	}
	b = append(b, noLinks...)
	for len(b)-start < size {
		b = append(b, "<p>"...)
		b = append(b, text[d.roll(paragraphs)]...)
		b = append(b, "</p>\n"...)
	}
	return append(b, "</body></html>\n"...)
}

// isLatin1 tells whether page i is ISO-8859-1.
func isLatin1(i int) bool { return i%7 == 4 }

// contentType of page i: half of the pages in ISO-8859-1 leave the charset to
// their meta element.
func contentType(i int) string {
	switch {
	case !isLatin1(i):
		return "text/html; charset=utf-8"
	case i%2 == 0:
		return "text/html; charset=ISO-8859-1"
	}
	return "text/html"
}

func appendHead(b []byte, host, i int) []byte {
	b = append(b, "<!DOCTYPE html>\n<html lang=\"en\"><head>\n"...)
	if isLatin1(i) {
		b = append(b, `<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">`+"\n"...)
	} else {
		b = append(b, "<meta charset=utf-8>\n"...)
	}
	b = append(b, "<title>Page "+strconv.Itoa(i)+" of "+hostName(host)+" &amp; more</title>\n"...)
	if hasBase(i) {
		b = append(b, `<base href="`+baseFolder+"index.html\">\n"...)
	}
	return append(b, "</head>\n"...)
}

// noLinks is what only a crawler that does not read HTML takes for links.
const noLinks = `<!-- <a href="/stray/comment.html">no link</a> -->
<script>document.write('<a href="/stray/script.html">no link</a>');</script>
<style>/* <a href="/stray/style.html">no link</a> */</style>
<textarea><a href="/stray/textarea.html">no link</a></textarea>
<p title='<a href="/stray/title.html">'>Write to <a href="mailto:nobody@h000.test">nobody</a> or
<a href="javascript:history.back()">go back</a> or <a name="s1">stay</a>.</p>
`

// append appends the markup of l, as page i of host has it.
func (l link) append(b []byte, d *dice, host, i int, latin1 bool) []byte {
	href := escape(d, l.spell(d, host, i, latin1))
	if latin1 {
		href = toLatin1(href)
	}
	switch l.element {
	case elementArea:
		return append(b, `<map name="m"><area shape="rect" coords="0,0,9,9" alt="" href="`+href+`"></map>`...)
	case elementFrame:
		return append(b, `<iframe src="`+href+`"></iframe>`...)
	case elementStyle:
		return append(b, `<link rel="stylesheet" href="`+href+`">`...)
	case elementImage:
		return append(b, `<img alt="" src="`+href+`">`...)
	}
	switch d.roll(10) {
	case 0:
		return append(b, `<A CLASS=x HREF=`+href+`>Read on</A>`...)
	case 1:
		return append(b, `<a href='`+href+`'>more</a>`...)
	case 2:
		return append(b, "<a\n\thref = \" \n"+href+"\t\" target=\"_top\">there <b>is</b> more</a>"...)
	case 3:
		return append(b, `<a title="a > b" href="`+href+`"><img alt="next"></a>`...)
	}
	return append(b, `<a href="`+href+`">see here</a>`...)
}

// escape writes & and letters in one of the ways in which HTML has them.
func escape(d *dice, href string) string {
	switch d.roll(3) {
	case 0:
		href = strings.ReplaceAll(href, "é", "&eacute;")
		return strings.ReplaceAll(href, "&n=", "&amp;n=")
	case 1:
		href = strings.ReplaceAll(href, "é", "&#xE9;")
		return strings.ReplaceAll(href, "&n=", "&#38;n=")
	}
	return href // a bare & before a name that is no entity
}
