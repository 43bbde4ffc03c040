package html

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"multitext/classify/testkit"
)

// BenchmarkLexer reads real pages with the lexer, for links and for text, and with the tokenizer.
func BenchmarkLexer(b *testing.B) {
	var pages [][]byte
	size := 0
	testkit.Pages(b, 40, func(_ string, page []byte) bool {
		pages = append(pages, page)
		size += len(page)
		return true
	})
	each := func(name string, read func(page []byte)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, page := range pages {
					read(page)
				}
			}
		})
	}
	var l Lexer
	for name, mode := range map[string]Mode{"tags": 0, "texts": Texts, "classes": Texts | Classes, "shown": Shown} {
		each(name, func(page []byte) {
			l.Open(page, mode)
			for l.Next() != PageEnd {
			}
		})
	}
	each("tokenizer", func(page []byte) {
		z := html.NewTokenizer(bytes.NewReader(page))
		for tt := z.Next(); tt != html.ErrorToken; tt = z.Next() {
			if tt == html.StartTagToken || tt == html.SelfClosingTagToken {
				_, more := z.TagName()
				for more {
					_, _, more = z.TagAttr()
				}
			}
		}
	})
}
