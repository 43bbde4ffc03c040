package links

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"multitext/stages/internal/testkit/sites"
	"multitext/stages/internal/web/httphead"
)

// BenchmarkFind reads real pages: all that Find does, the lexer alone, and the tokenizer that it is held to. It goes by
// the processor's time, which others on the machine change least.
func BenchmarkFind(b *testing.B) {
	var pages []Page
	size := int64(0)
	header := httphead.Fields{{Name: "Content-Type", Value: "text/html"}}
	sites.Pages(b, 8, func(url string, page []byte) bool {
		pages = append(pages, Page{url, header, page, ""})
		size += int64(len(page))
		return true
	})
	each := func(name string, do func(Page)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			before := used(b)
			for b.Loop() {
				for _, p := range pages {
					do(p)
				}
			}
			b.ReportMetric(float64(b.N)*float64(size)/1e6/(used(b)-before).Seconds(), "MB/cpu-s")
		})
	}
	finder := NewFinder(Options{Kinds: All, Obey: true, Max: 10_000})
	each("find", func(p Page) {
		if _, err := finder.Find(p); err != nil {
			b.Fatal(err)
		}
	})
	var l lexer
	each("lexer", func(p Page) {
		l.open(p.Body, false, false)
		for l.next() != pageEnd {
		}
	})
	each("tokenizer", func(p Page) {
		z := html.NewTokenizer(bytes.NewReader(p.Body))
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
