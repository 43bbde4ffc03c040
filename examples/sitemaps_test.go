package examples

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSitemapsOnDemand crawls a site most of whose pages are linked from nowhere: robots.txt names
// a sitemap, which lists a page and another sitemap. The script is the tour's, with the two changes
// that stages/README.md tells. What a sitemap lists is judged like any other link.
func TestSitemapsOnDemand(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`,
		"-hosts 20 -pages 100", "-root web",
		`"refused"]`, `"refused", "links"]`, "-refused {refused}", "-refused {refused} -sitemaps {links}")
	b.write("scope.txt", "keep rel sitemap\nreject type archive\n"+b.read("scope.txt"))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(`<urlset><url><loc>http://h000.test/deep.html</loc></url><url><loc>http://h000.test/forbidden/x.html</loc></url>
		<url><loc>http://other.example/</loc></url></urlset>`))
	z.Close()
	if err := os.MkdirAll(b.path("web/h000.test"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"robots.txt":  "Sitemap: http://h000.test/map.xml\nUser-agent: *\nDisallow: /forbidden/\n",
		"map.xml":     `<sitemapindex><sitemap><loc>http://h000.test/more.xml.gz</loc></sitemap><sitemap><loc>http://h000.test/list.txt</loc></sitemap></sitemapindex>`,
		"more.xml.gz": packed.String(),
		"list.txt":    "http://h000.test/listed.html\n",
		"index.html":  "<a href=linked.html>",
		"linked.html": "linked",
		"listed.html": "listed",
		"deep.html":   "<a href=deeper.html>",
		"deeper.html": "deeper",
		"hidden.html": "hidden",
	} {
		b.write(filepath.Join("web/h000.test", name), text)
	}
	b.run(0)
	const h = "http://h000.test/"
	var got []string
	for url := range readArchive(t, b.path("crawl/archive")).answers {
		got = append(got, url)
	}
	slices.Sort(got)
	want := []string{h, h + "deep.html", h + "deeper.html", h + "linked.html", h + "list.txt", h + "listed.html",
		h + "map.xml", h + "more.xml.gz"}
	if !slices.Equal(got, want) {
		t.Errorf("fetched were %q, want %q", got, want)
	}
	if why := b.urls("refused")[h+"forbidden/x.html"]; why != "robots" {
		t.Errorf("a page that a sitemap lists and robots.txt forbids was refused for %q", why)
	}
	if why := b.urls("rejected")["http://other.example/"]; why != "elsewhere" {
		t.Errorf("a page of another site was rejected for %q", why)
	}
	if _, err := b.law(); err != nil {
		t.Error(err)
	}
	b.settled()
}
