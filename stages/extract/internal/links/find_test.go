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
	pages := append([]string{
		`<base href="/b/"><a href=x>text`, `<meta name=robots content=none><a href=x>`, `<a href="&amp;`, `<title>`, `<script><!--`, `<a href=y><a href='?\xfc'>\xff`,
	}, markup...)
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

// TestManyLinks holds that links do not get in each other's way when there are more than one piece of memory holds,
// nor those of a page in that of the next.
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

// TestPagesAreFreed holds that a Finder keeps nothing of the pages behind it, of which each part would keep the
// whole, nor large buffers.
func TestPagesAreFreed(t *testing.T) {
	opt := everything
	opt.Anchors = true
	finder := NewFinder(opt)
	var pages []weak.Pointer[[1 << 20]byte]
	for n := 9; n >= 0; n-- { // each page has fewer links than the one before
		body := new([1 << 20]byte)
		copy(body[:], fmt.Sprintf("%s<img src=x alt=y srcset=z><base href=/%d>", strings.Repeat("<a href=x rel=y>text", n), n))
		if n == 9 {
			copy(body[1000:], "<a href='"+strings.Repeat("&amp;\x00", 150_000)+"'>")
		}
		if _, err := finder.Find(Page{URL: pageURL, Body: body[:]}); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, weak.Make(body))
	}
	if n := cap(finder.scanner.values); n > maxKept {
		t.Errorf("a buffer of %d bytes was kept", n)
	}
	if _, err := finder.Find(Page{URL: pageURL, Body: []byte("the last")}); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	for i, page := range pages {
		if page.Value() != nil {
			t.Errorf("page %d is kept", i)
		}
	}
	runtime.KeepAlive(finder)
}
