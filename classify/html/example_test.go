package html_test

import (
	"fmt"

	"multitext/classify/html"
)

func ExampleLexer() {
	page := []byte(`<p>See <a href="/a?x=1&amp;y=2">the <b>other</b> page</a>.`)
	var l html.Lexer
	l.Open(page, html.Texts)
	for token := l.Next(); token != html.PageEnd; token = l.Next() {
		switch token {
		case html.StartTag:
			fmt.Printf("%s %q\n", l.Name(), l.Attr(html.Href))
		case html.TextToken:
			fmt.Printf("%q\n", l.DecodedText(1000))
		}
	}
	// Output:
	// p ""
	// "See "
	// a "/a?x=1&y=2"
	// "the "
	// b ""
	// "other"
	// " page"
	// "."
}
