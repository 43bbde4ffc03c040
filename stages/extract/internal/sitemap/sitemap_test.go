package sitemap

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

const at = "http://example.org/dir/sitemap.xml"

// show writes entries as "PAGE" or "list:PAGE", without what all have in common.
func show(r Result) string {
	var b []string
	for _, e := range r.Entries {
		url := strings.TrimPrefix(e.URL, "http://example.org")
		if e.Sitemap {
			url = "list:" + url
		}
		b = append(b, url)
	}
	return strings.Join(b, " ")
}

func TestRead(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	const ns = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	for _, c := range []struct {
		name, body, want string
		bad              int
		cut              bool
	}{
		{"urlset", head + `<urlset` + ns + `><url><loc>http://example.org/a?b=1&amp;c</loc><lastmod>2026-11-21</lastmod></url>
			<url> <loc> http://EXAMPLE.org:80/b </loc> </url></urlset>`, "/a?b=1&c /b", 0, false},
		{"an empty one", head + `<urlset` + ns + `/>`, "", 0, false},
		{"index", head + `<sitemapindex` + ns +
			`><sitemap><loc>http://example.org/1.xml.gz</loc></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`,
			"list:/1.xml.gz list:/2.xml", 0, false},
		{"an index of itself", `<sitemapindex><sitemap><loc>` + at + `</loc></sitemap></sitemapindex>`, "", 0, false},
		{"prefixes", `<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc></s:url></s:urlset>`, "/a", 0, false},
		{"images and other languages", `<urlset` + ns + ` xmlns:image="i" xmlns:xhtml="h"><url><loc>/a</loc><image:image><image:loc>/i.png</image:loc></image:image>
			<image:loc>/j.png</image:loc><xhtml:link rel="alternate" href="/de"/></url></urlset>`, "/a", 0, false},
		{"CDATA", `<urlset><url><loc><![CDATA[http://example.org/a&b]]></loc></url></urlset>`, "/a&b", 0, false},
		{"no URLs", `<urlset><url><loc>mailto:x</loc></url><url><loc>http://[/</loc></url><url><loc>/a</loc></url></urlset>`, "/a", 2, false},
		{"twice", `<urlset><url><loc>/a</loc></url><url><loc>/a#b</loc></url></urlset>`, "/a", 0, false},
		{"breaks off", `<urlset><url><loc>/a</loc></url><url><loc>/b`, "/a", 0, true},
		{"is broken", `<urlset><url><loc>/a</loc></url><url <loc>/b</loc></url></urlset>`, "/a", 0, true},
		{"does not match", `<urlset><url><loc>/a</loc></URL><url><loc>/b</loc></url>`, "/a /b", 0, true},
		{"junk behind", `<urlset><url><loc>/a</loc></url></urlset><script>x</script>`, "/a", 0, true},
		{"latin1", "<?xml version='1.0' encoding='iso-8859-1'?><urlset><url><loc>/\xfc</loc></url></urlset>",
			"/%C3%BC", 0, false},
		// as .NET writes it
		{"UTF-16 that is none", "<?xml version='1.0' encoding='utf-16'?><urlset><url><loc>/\xc3\xbc</loc></url></urlset>", "/%C3%BC", 0, false},
		{"UTF-16", "\xff\xfe" + wide("<?xml version='1.0' encoding='utf-16'?><urlset><url><loc>/a</loc></url></urlset>"), "/a", 0, false},
		{"UTF-16 without a mark", wide("<?xml version='1.0' encoding='utf-16'?><urlset><url><loc>/a</loc></url></urlset>"), "/a", 0, false},
		{"declared ISO 8859-1", "<?xml version='1.0' encoding='iso-8859-1'?><urlset><url><loc>/\xe9</loc></url></urlset>", "/%C3%A9", 0, false},
		{"no UTF-8, and nothing declared", "<urlset><url><loc>/\xe9</loc></url></urlset>", "/%C3%A9", 0, false},
		{"unknown charset", "<?xml version='1.0' encoding='klingon'?><urlset><url><loc>/a</loc></url></urlset>", "/a",
			0, false},
		{"entities of its own", `<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>/&b;</loc></url></urlset>`, "/&b;", 0, false},
		{"entities from elsewhere",
			`<!DOCTYPE urlset [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&a;</loc></url></urlset>`,
			"/&a;", 0, false},
		{"RSS", `<rss version="2.0"><channel><link>http://example.org/</link><item><title>t</title><link>http://example.org/a</link></item></channel></rss>`, "/a", 0, false},
		{"RSS of permalinks", `<rss><channel><item><guid>http://example.org/a</guid></item><item><guid isPermaLink="false">http://example.org/b</guid></item>
			<item><guid>tag:17</guid><link>/c</link></item><item><guid>x/17</guid></item></channel></rss>`, "/a /c", 0, false},
		{"unclosed", `<sitemapindex><sitemap><loc>/1</loc><sitemap><loc>/2</loc></sitemap></sitemapindex>`,
			"list:/1 list:/2", 0, false},
		{"unclosed pages", `<urlset><url><loc>/1</loc><url><loc>/2</loc></url></urlset>`, "/1 /2", 0, false},
		{"RSS 1.0", `<rdf:RDF xmlns:rdf="r" xmlns="s"><channel><link>/</link></channel><item><link>/a</link></item></rdf:RDF>`, "/a", 0, false},
		{"Atom", `<feed><link href="/"/><entry><link rel="self" href="/self"/><link href="/a"/><link rel="alternate" href="/b"/></entry></feed>`, "/a /b", 0, false},
		{"text of carriage returns", "http://example.org/a\rhttp://example.org/b\r", "/a /b", 0, false},
		{"text", "\xef\xbb\xbfhttp://example.org/a\r\n\r\nHTTP://example.org/b\nnone\nhttp://example.org/c",
			"/a /b /c", 1, false},
	} {
		r, err := Read(at, []byte(c.body), true)
		if err != nil || show(r) != c.want || r.Bad != c.bad || r.Cut != c.cut {
			t.Errorf("%s: %q, %d bad, cut %v, %v; want %q, %d bad, cut %v", c.name, show(r), r.Bad, r.Cut, err,
				c.want, c.bad, c.cut)
		}
	}
}

// TestCutText holds that half a URL, where a list was cut, is none.
func TestCutText(t *testing.T) {
	const list = "http://example.org/a\nhttp://example.org/b"
	for _, c := range []struct {
		body  string
		whole bool
		want  string
	}{{list, true, "/a /b"}, {list, false, "/a"}, {list + "\n", false, "/a /b"}} {
		if r, err := Read(at, []byte(c.body), c.whole); err != nil || show(r) != c.want || r.Cut == c.whole {
			t.Errorf("%q, whole %v: %q, cut %v, %v; want %q", c.body, c.whole, show(r), r.Cut, err, c.want)
		}
	}
}

// wide writes ASCII as UTF-16, little end first.
func wide(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(s[i:i+1] + "\x00")
	}
	return b.String()
}

func TestNone(t *testing.T) {
	for _, body := range []string{
		"", " \n", "hello", "a/b\nhttp://example.org/", "<!DOCTYPE html><html><head><title>404</title>",
		"<url><loc>/a</loc></url>",
		"<", "{}", "<?xml version='1.0'?>", "\x1f\x8b\x08",
	} {
		if r, err := Read(at, []byte(body), true); !errors.Is(err, ErrNone) {
			t.Errorf("%q: %q, %v; want %v", body, show(r), err, ErrNone)
		}
	}
}

func TestBounds(t *testing.T) {
	var xml, text strings.Builder
	xml.WriteString("<urlset>")
	for i := range MaxURLs + 3 {
		fmt.Fprintf(&xml, "<url><loc>/%d</loc></url>", i)
		fmt.Fprintf(&text, "http://example.org/%d\n", i)
	}
	xml.WriteString("</urlset>")
	for _, body := range []string{xml.String(), text.String()} {
		r, err := Read(at, []byte(body), true)
		if err != nil || len(r.Entries) != MaxURLs || r.Over != 3 {
			t.Errorf("%.9s: %d entries, %d over, %v", body, len(r.Entries), r.Over, err)
		}
	}
	long := "http://example.org/" + strings.Repeat("a", maxToken/2)
	for _, body := range []string{long, "<urlset><url><loc>" + long + "</loc></url></urlset>",
		`<feed><entry><link href="` + long + `"/></entry></feed>`} {
		if r, err := Read(at, []byte(body), true); err != nil || len(r.Entries) != 0 || r.Bad != 1 {
			t.Errorf("a long URL: %+v, %v", r, err)
		}
	}
	// As deep as a document of 4 MB can be, and still a list.
	deep := "<urlset>" + strings.Repeat("<a>", 1<<20) + strings.Repeat("</a>", 1<<20) +
		"<url><loc>/a</loc></url></urlset>"
	if r, err := Read(at, []byte(deep), true); err != nil || show(r) != "/a" || r.Cut {
		t.Errorf("a deep document: %q, cut %v, %v", show(r), r.Cut, err)
	}
}

// TestAttributesAreBounded holds that no tag costs more memory than a document of usual tags:
// parsed, each of its attributes takes some fifty times its bytes.
func TestAttributesAreBounded(t *testing.T) {
	for _, declaration := range []string{"", "<?xml version='1.0' encoding='iso-8859-1'?>"} {
		body := []byte(declaration + "<urlset><url><loc>/a</loc></url><a " + strings.Repeat("b ", 8<<20) + "/>")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := Read(at, body, true)
		runtime.ReadMemStats(&after)
		if err != nil || show(r) != "/a" || !r.Cut {
			t.Errorf("%q, cut %v, %v", show(r), r.Cut, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 256<<20 {
			t.Errorf("%d bytes of memory for a document of %d", n, len(body))
		}
	}
}

// FuzzRead feeds any bytes: canonical URLs within the bounds, each once, must come out.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`<urlset><url><loc>/a</loc></url></urlset>`))
	f.Add([]byte(`<sitemapindex><sitemap><loc><![CDATA[/a]]></loc></sitemap>`))
	f.Add([]byte("<?xml version='1.0' encoding='utf-16'?><rss><channel><item><link>/a"))
	f.Add([]byte(`<feed><entry><link rel="alternate" href="&#x2f;a"/>`))
	f.Add([]byte("http://example.org/a\nhttp://"))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := Read(at, body, true)
		if err != nil && (!errors.Is(err, ErrNone) || len(r.Entries) > 0) {
			t.Fatalf("%d entries, %v", len(r.Entries), err)
		}
		seen := map[string]bool{at: true}
		for _, e := range r.Entries {
			if seen[e.URL] || !strings.HasPrefix(e.URL, "http") || strings.ContainsAny(e.URL, " \n#") {
				t.Errorf("entry %+v", e)
			}
			seen[e.URL] = true
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var list strings.Builder
	list.WriteString("<urlset>")
	for i := range 10_000 {
		fmt.Fprintf(&list, "<url><loc>http://example.org/page/%d</loc><lastmod>2026-11-21</lastmod></url>\n", i)
	}
	body := []byte(list.String())
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := Read(at, body, true); err != nil {
			b.Fatal(err)
		}
	}
}
