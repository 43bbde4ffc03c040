package links

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"
)

// TestFinderForgets holds that a page is read the same whatever the Finder has read before.
func TestFinderForgets(t *testing.T) {
	pages := []string{
		`<base href="/b/"><a href=x>text`, `<meta name=robots content=none><a href=x>`, `<a href="&amp;`, `<title>`,
		`<script><!--`, `<a href=y><a href='?\xfc'>\xff`,
		`<svg><template>`, `<a href=x>text<svg><title>`, `<!-- <a href=x>`, `<noscript><a`,
		`<a href=a href=b HREF=c><img srcset="" src='' alt>`,
	}
	opt := everything
	opt.Anchors = true
	one := NewFinder(opt)
	for range 2 {
		for _, body := range pages {
			p := Page{URL: pageURL, Body: []byte(body)}
			want, err := NewFinder(opt).Find(p)
			if err != nil {
				t.Fatal(err)
			}
			got, err := one.Find(p)
			if err != nil {
				t.Fatal(err)
			}
			if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
				t.Errorf("%q: %s, of a new Finder %s", body, g, w)
			}
		}
	}
}

// TestManyLinks holds that links do not get in each other's way when there are more than one piece
// of memory holds, nor those of a page in that of the next.
func TestManyLinks(t *testing.T) {
	opt := everything
	opt.Max = 5000
	finder := NewFinder(opt)
	for page := range 3 {
		var body strings.Builder
		link := func(i int) string { return fmt.Sprintf("/%d/%s/%d", page, strings.Repeat("long", 50), i) }
		for i := range opt.Max / 2 {
			fmt.Fprintf(&body, "<a href=%s><a href=%s rel=nofollow><a href=mailto:x>", link(i), link(i/2))
		}
		r, err := finder.Find(Page{URL: pageURL, Body: []byte(body.String())})
		if err != nil {
			t.Fatal(err)
		}
		if r.Over != opt.Max/2 || len(r.Links)+r.Scheme < opt.Max/2 || len(r.Links)*len(link(0)) < pieceSize {
			t.Fatalf("%d links, %d others, %d over the limit", len(r.Links), r.Scheme, r.Over)
		}
		for i, l := range r.Links {
			if want := "http://example.org" + link(i); string(l.URL) != want {
				t.Fatalf("page %d, link %d is %s, want %s", page, i, l.URL, want)
			}
		}
	}
}

// TestPagesAreFreed holds that a Finder keeps nothing of the pages behind it, of which each part
// would keep the whole, nor large buffers, once it is read, and nothing of their URLs once others
// are.
func TestPagesAreFreed(t *testing.T) {
	type document = [1 << 20]byte // NULs, which decoded become three times as long
	opt := everything
	opt.Anchors = true
	finder := NewFinder(opt)
	var pages []weak.Pointer[document]
	var urls []weak.Pointer[byte]
	for n := 49; n >= 40; n-- { // each page has fewer links than the one before
		body := new(document)
		end := copy(body[:], fmt.Sprintf("<img src=x alt=y srcset=z><base href=/%s/>", strings.Repeat("long", 2000)))
		for i := range n {
			end += copy(body[end:], fmt.Sprintf("<a href=%d rel=y>text", i))
		}
		copy(body[end:], "<a href='")
		copy(body[len(body)-2:], "'>")
		r, err := finder.Find(Page{URL: pageURL, Body: body[:]})
		if err != nil || len(r.Links) < n {
			t.Fatal(err, len(r.Links))
		}
		pages = append(pages, weak.Make(body))
		urls = append(urls, weak.Make(&r.Links[n-5].URL[0])) // in the last piece, which goes on to the next page
	}
	runtime.GC()
	for i := range pages {
		if pages[i].Value() != nil {
			t.Errorf("page %d is kept", i)
		}
	}
	if _, err := finder.Find(Page{URL: pageURL, Body: []byte("the last")}); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	for i := range urls {
		if urls[i].Value() != nil && i < len(pages)-1 {
			t.Errorf("URLs of page %d are kept", i)
		}
	}
	runtime.KeepAlive(finder)
}

// TestLongTextsAreNotDecoded holds that of the text of a link no more is decoded than is kept of
// it.
func TestLongTextsAreNotDecoded(t *testing.T) {
	opt := everything
	opt.Anchors = true
	body := []byte("<a href=x>" + strings.Repeat("\r&amp;", 1<<18))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := NewFinder(opt).Find(Page{URL: pageURL, Body: body})
	runtime.ReadMemStats(&after)
	if err != nil || len(r.Links) != 1 || len(r.Links[0].Anchor) != MaxAnchor {
		t.Fatalf("%v, links %+v", err, r.Links)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > uint64(len(body)) {
		t.Errorf("%d bytes of memory for a text of %d", n, len(body))
	}
}
