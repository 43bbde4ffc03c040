package maintext

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// long is a block that reads like a main text.
const long = "The granite of the northern hills is older than the sea, and it has been cut by rivers for more than " +
	"a million years before anybody came."

func read(page string, xml bool) Page {
	return new(Extractor).Read([]byte(page), xml, func(name, content []byte) {})
}

// TestPage: what a page has around its text is left out, and what belongs to the text is kept.
func TestPage(t *testing.T) {
	page := `<!doctype html><html><head><title>Old
 rocks &amp; seas</title><style>p{}</style></head><body class="has-sidebar">
<nav><ul><li><a href=/>Home</a><li><a href=/about>About this very long name of a page</a></ul></nav>
<header><p>` + long + `</header>
<div class="page-content"><h1>Old rocks</h1><p class=date>1 May</p><p>` + long + `</p>
<h2>What they are</h2><ul><li>granite<li>basalt<li>and some <a href=/t>tuff</a></ul><pre>a
  b</pre><p>Caf&eacute;<br>and&nbsp;tea` + long + `</p>
<figure><img src=x><figcaption>` + long + `</figcaption></figure>
<div class="comment-list"><div><p>` + long + `</p></div><p>` + long + `</p></div>
</div>
<div id=leftSidebar><p>` + long + `</p></div><p>` + long + ` The end.</p>
<script>var granite = "<p>"</script><noscript><p>` + long + `</p></noscript><template><p>` + long + `</template>
<svg><text>` + long + `</text></svg><select><option>` + long + `</select>
<h3>Related</h3><p>Share this</p><footer>` + long + `</footer></body></html>`
	got := read(page, false)
	want := "Old rocks\n" + long + "\nWhat they are\ngranite\nbasalt\nand some tuff\na\n  b\nCafé\nand tea" + long +
		"\n" +
		long + " The end."
	if got.Title != "Old rocks & seas" || string(got.Text) != want {
		t.Errorf("title %q, text\n%s\nwant\n%s", got.Title, got.Text, want)
	}
	if words := len(strings.Fields(want)); got.Words != words {
		t.Errorf("%d words, want %d", got.Words, words)
	}
}

// TestForeign: a picture or a formula within a line does not end its block, nor the link around it.
func TestForeign(t *testing.T) {
	for _, in := range []string{"<svg><g><path d=1></path></g></svg>", "<svg/>", "<math><mi>x</mi></math>",
		"<svg><title>t</title><a href=x>q</a></svg>", "<svg><foreignObject><i>x</i></foreignObject></svg>"} {
		for _, xml := range []bool{false, true} {
			if got := read("<p>See "+in+" it. "+long, xml); string(got.Text) != "See it. "+long {
				t.Errorf("%s: %q", in, got.Text)
			}
			if got := read("<p>"+long+"<p><a href=x>"+in+long+"</a>", xml); string(got.Text) != long {
				t.Errorf("in a link, %s: %q", in, got.Text)
			}
		}
	}
	page := "<svg><foreignObject><nav>a</nav></foreignObject></svg><p>" + long
	if got := read(page, false); string(got.Text) != long {
		t.Errorf("behind HTML in a picture: %q", got.Text)
	}
}

// TestWrongHints: an element around all of the text is not left out, whatever it says of itself, and
// what is in it beside the text is.
func TestWrongHints(t *testing.T) {
	for _, open := range []string{"<div class=sidebar>", "<aside>", "<header>", "<nav><div id=menu>"} {
		page := open + "<p>" + strings.Repeat("<p>"+long, 4) + "<div class=comments><p>What a long comment it is that" +
			" somebody wrote about granite and basalt and about the hills of the north</div>"
		if got, want := string(read(page, false).Text), strings.Repeat("\n"+long, 4)[1:]; got != want {
			t.Errorf("%s:\n%s\nwant\n%s", open, got, want)
		}
	}
}

// TestParts: MAIN and ARTICLE decide if they have the text, and not if they have little of it.
func TestParts(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"<p>1 " + long + "<main><p>2 " + long + "</main>", "2 " + long},
		{"<p>1 " + long + "<article><p>2 " + long + "</article>", "2 " + long},
		{"<main><p>1 " + long + "<article><p>2 " + long + "</article></main><p>3 " + long, "2 " + long},
		{"<main><p>Few words</main><p>" + long, long},
		{"<header><article><header>1</header></article><p>2 " + long + "</header><p>" + long + "<p>" + long,
			long + "\n" + long},
		{"<p>" + long + "<main><p>Few", long},
		{"<main><p>" + long + "</main>" + strings.Repeat("<p>"+long, 4), strings.Repeat("\n"+long, 5)[1:]},
		{"<p>" + long + "<p>See <a href=/2>a page about it</a><p>" + long, long + "\n" + long},
		{"<ul><li><a href=/1>one page</a><li><a href=/2>" + long + "</a></ul>", ""},
		{"<p>Few", ""},
		{"<p>" + long + strings.Repeat("<li>one line", 8), long},
		{"<p>" + long + strings.Repeat("<li>one line", 9), long + strings.Repeat("\none line", 9)},
		{"<p>" + long + strings.Repeat("<h3>Ann <a href=#x>\u00b6</a></h3><p>was here", 9) + "<p>" + long,
			long + strings.Repeat("\nAnn \u00b6\nwas here", 9) + "\n" + long},
		{"<div class=sidebar><p>" + long + "</div><p>" + long, long + "\n" + long},
		{"<article><header><p>" + long + "</header>" + strings.Repeat("<p>"+long, 3) + "</article>",
			strings.Repeat("\n"+long, 4)[1:]},
		{"<object><object>a</object>" + long + "</object><p>" + long, long},
		{"<p><a name=x>" + long + "</a>", long},
		{"", ""},
	} {
		if got := string(read(c.page, false).Text); got != c.want {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

// TestFits: which blocks fit their neighbours, by numbers of words and of words in links.
func TestFits(t *testing.T) {
	of := func(words, linked int) *block { return &block{words: words, linked: linked} }
	kept := of(1, 0)
	kept.kept = true
	for i, c := range []struct {
		k, prev, next *block
		menu          int
		want          bool
	}{
		{of(30, 11), of(30, 0), of(30, 0), 0, false},
		{of(17, 0), of(0, 0), of(0, 0), 1, true},
		{of(40, 0), of(9, 9), of(17, 0), 2, false},
		{of(41, 0), of(9, 9), of(0, 0), 2, true},
		{of(5, 0), of(9, 9), of(18, 0), 2, true},
		{of(5, 0), of(2, 0), of(2, 0), 0, false},
		{of(5, 0), of(2, 0), of(16, 0), 0, true},
		{of(5, 0), of(3, 0), of(0, 0), 0, true},
		{of(5, 0), kept, of(0, 0), 0, true},
		{of(5, 0), of(2, 0), of(3, 0), 0, true},
		{of(5, 0), of(2, 2), of(3, 0), 0, false},
	} {
		if got := c.k.fits(c.prev, c.next, c.menu); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// TestEnds: menus, headings that are links, and short lines under headings behind a text are left out.
func TestEnds(t *testing.T) {
	line := "<p><a href=/x>one two three</a> four five"
	for _, c := range []struct{ page, want string }{
		{line + "<p>" + long, long},
		{line + line + "<p>" + long, ""},
		{"<h2>Rocks</h2><p>" + long, "Rocks\n" + long},
		{"<h2><a href=/x>More</a> on</h2><p>" + long, long},
		{"<p>" + long + strings.Repeat("<h3>Ann</h3><p>was here", 5), long},
	} {
		if got := string(read(c.page, false).Text); got != c.want {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

// TestHints: which names say that an element stands beside the text.
func TestHints(t *testing.T) {
	for value, want := range map[string]bool{"sidebar": true, "left-Sidebar": true, "leftSidebar": true,
		"SIDEBAR": true, "x  main_nav y": true,
		"has-sidebar": false, "no-comments wide": false, "content has-toc footer": true, "navigator": false, "": false,
		"adsorption": false, "ad": true, strings.Repeat("x", 99): false, "-": false, "wp-caption": true} {
		if got := isHint([]byte(value)); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}

// TestLetters: scripts without blanks, characters that are not shown, and bytes that are none.
func TestLetters(t *testing.T) {
	han := strings.Repeat("石头", 20)
	for _, c := range []struct {
		text, want string
		words      int
	}{
		{han, han, 20},
		{long + " a\x00b\x1b[2J\u0085c\u202ed\ufeffe\uf0c1", long + " ab[2Jcde", 28},
		{long + " 石<p>石 " + long, long + " 石\n石 " + long, 54},
		{long + " a\u2066b", long + " ab", 28},
		{long + "<pre>\n  a\n b\n\n</pre>" + long, long + "\n  a\n b\n" + long, 56},
		{long + "<pre> \n</pre>" + long, long + "\n" + long, 54},
		{long + "<pre>a\r\nb</pre>" + long, long + "\na\nb\n" + long, 56},
		{long + "<pre>a\rb\fc</pre>" + long, long + "\na\nb c\n" + long, 57},
		{long + "\r\na\rb\fc", long + " a b c", 30},
		{long + " \xff\xfe \xe2\x82", long + " \uFFFD \uFFFD", 29},
		{long + " \u2014 | \u3000x", long + " \u2014 | x", 28},
	} {
		if got := read("<p>"+c.text, false); string(got.Text) != c.want || got.Words != c.words {
			t.Errorf("%q: %d words, %q, want %d, %q", c.text, got.Words, got.Text, c.words, c.want)
		}
	}
}

// TestXML: in XML an element may end with "/>".
func TestXML(t *testing.T) {
	page := "<html><head><script src='x'/><title>A</title></head><body><nav/><textarea/><p>" + long +
		"</p></body></html>"
	if got := read(page, true); string(got.Text) != long || got.Title != "A" {
		t.Errorf("%q %q", got.Title, got.Text)
	}
	if got := read(page, false); len(got.Text) > 0 {
		t.Errorf("as HTML: %q", got.Text)
	}
}

// TestMeta: each META of a page is told, of any case, even where text is hidden.
func TestMeta(t *testing.T) {
	var got []string
	new(Extractor).Read([]byte("<META NAME=Robots CONTENT='NoAI, b'><meta charset=x><noscript><meta content=y>"), false,
		func(name, content []byte) { got = append(got, fmt.Sprintf("%s=%s", name, content)) })
	if fmt.Sprint(got) != "[Robots=NoAI, b =y]" {
		t.Errorf("%q", got)
	}
}

// TestHostile: time and memory stay in proportion to a page built to use much of them.
func TestHostile(t *testing.T) {
	const size = 2 << 20
	for _, piece := range []string{"<p>a", "<div class=nav>a", "<div class=nav>a</div>", "</div>", "<svg><p>a", "<nav>",
		"<template>a", "<a href=x>a", "<h1>a ", "&amp;", "石", "<select>", "<pre>\n", "<title>a", "<ul id=ad></ul>", "<div id=ad>a … </ul>"} {
		begin, again, both := strings.Cut(piece, " … ")
		page := []byte(strings.Repeat(begin, size/len(begin)))
		if both {
			page = append(page, strings.Repeat(again, size/len(again))...)
		}
		var x Extractor
		start := time.Now()
		got := x.Read(page, false, func(name, content []byte) {})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q takes %s", piece, took)
		}
		if len(x.blocks.all) > maxBlocks || len(x.blocks.regions) > maxBlocks || len(got.Text) > 3*size {
			t.Errorf("%q: %d blocks, %d regions, %d bytes", piece, len(x.blocks.all), len(x.blocks.regions),
				len(got.Text))
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("<main><p>"+long+"</main><div class=nav>a"), false)
	f.Add([]byte("<svg><style/><p></svg><title>&lt;"), true)
	f.Add([]byte("<pre>\r\n\xe2\x80\xae\xc2\xa0</pre><br>a<table><td>b"), false)
	var used Extractor
	f.Fuzz(func(t *testing.T, page []byte, xml bool) {
		fresh := new(Extractor)
		want := fresh.Read(page, xml, func(name, content []byte) {})
		used.Read([]byte("<title>a</title><nav><main><article><h1><pre><select>"+long), xml,
			func(name, content []byte) {})
		got := used.Read(page, xml, func(name, content []byte) {})
		if !bytes.Equal(got.Text, want.Text) || got.Title != want.Title || got.Words != want.Words {
			t.Errorf("behind another page %+v, else %+v", got, want)
		}
		for _, text := range []string{string(got.Text), got.Title} {
			bad := func(r rune) bool {
				return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x202e
			}
			if !utf8.ValidString(text) || strings.ContainsFunc(text, bad) {
				t.Errorf("%q", text)
			}
		}
		if strings.ContainsAny(got.Title, "\n\t") || (got.Words == 0) != (len(got.Text) == 0) {
			t.Errorf("title %q, %d words, text %q", got.Title, got.Words, got.Text)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	page := []byte("<nav>" + strings.Repeat("<a href=/page/of/this/site>A page</a>", 40) + "</nav><main>" +
		strings.Repeat("<p class=text>"+long+" <b>And</b> more.</p>\n", 50) + "</main>")
	var x Extractor
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		x.Read(page, false, func(name, content []byte) {})
	}
}
