package main

import (
	"strconv"
	"strings"
)

// pageWriter is what the parts of one page have in common.
type pageWriter struct {
	shape
	host, i int
	dice    *dice
	latin1  bool
	folder  string // that relative links start from
}

// appendPage appends page i of host, a whole HTML document, to b.
func (w *synthetic) appendPage(b []byte, host, i int) []byte {
	p := &pageWriter{w.shape, host, i, w.shape.dice(host, i), isLatin1(i), w.shape.folderOf(host, i)}
	links := w.shape.links(p.dice, host, i)
	text := w.prose.utf8
	if p.latin1 {
		text = w.prose.latin1
	}
	size := 12_400 + p.dice.roll(3_200)
	start := len(b)

	b = appendHead(b, host, i)
	b = append(b, `<body><h1 id="s0">Page `...)
	b = strconv.AppendInt(b, int64(i), 10)
	b = append(b, "</h1>\n"...)
	for _, l := range links {
		b = append(b, "<p>"...)
		b = append(b, text[p.dice.roll(paragraphs)]...)
		b = p.appendLink(b, l)
		b = append(b, "</p>\n"...)
	}
	b = append(b, noLinks...)
	for len(b)-start < size {
		b = append(b, "<p>"...)
		b = append(b, text[p.dice.roll(paragraphs)]...)
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
		b = append(b, `<base href="`+baseFolder+"paper.pdf\">\n"...) // an address: some crawlers follow it
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

// appendLink appends the markup of l to b.
func (p *pageWriter) appendLink(b []byte, l link) []byte {
	href := p.escape(p.spell(l))
	if p.latin1 {
		href = toLatin1(href)
	}
	before, after := p.markup(l.element)
	b = append(b, before...)
	b = append(b, href...)
	return append(b, after...)
}

// markup is what stands around the URL of a link.
func (p *pageWriter) markup(e element) (before, after string) {
	switch e {
	case elementArea:
		return `<map name="m"><area shape="rect" coords="0,0,9,9" alt="" href="`, `"></map>`
	case elementFrame:
		return `<iframe src="`, `"></iframe>`
	case elementStyle:
		return `<link rel="stylesheet" href="`, `">`
	case elementImage:
		return `<img alt="" src="`, `">`
	}
	kind := p.dice.roll(10)
	if p.plain {
		kind = 9
	}
	switch kind {
	case 0:
		return `<A CLASS=x HREF=`, `>Read on</A>`
	case 1:
		return `<a href='`, `'>more</a>`
	case 2:
		return "<a\n\thref = \" \n", "\t\" target=\"_top\">there <b>is</b> more</a>"
	case 3:
		return `<a title="a > b" href="`, `"><img alt="next"></a>`
	}
	return `<a href="`, `">see here</a>`
}

// escape writes & and letters in one of the ways in which HTML has them.
func (p *pageWriter) escape(href string) string {
	switch p.dice.roll(3) {
	case 0:
		href = strings.ReplaceAll(href, "é", "&eacute;")
		return strings.ReplaceAll(href, "&n=", "&amp;n=")
	case 1:
		href = strings.ReplaceAll(href, "é", "&#xE9;")
		return strings.ReplaceAll(href, "&n=", "&#38;n=")
	}
	return href // a bare & before a name that is no entity
}
