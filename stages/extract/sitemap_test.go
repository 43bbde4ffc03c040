package main

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func TestSitemaps(t *testing.T) {
	const (
		line   = "http://a.test/sitemap.xml\tdepth=1\trel=sitemap"
		index  = "<sitemapindex><sitemap><loc>http://a.test/1.xml</loc></sitemap></sitemapindex>"
		urlset = "<urlset><url><loc>http://a.test/x</loc></url><url><loc>ftp://a.test/</loc></url></urlset>"
		xml    = "HTTP/1.1 200 OK\r\nContent-Type: application/xml"
		from   = "\tdepth=2\tvia=http://a.test/sitemap.xml"
		page   = "http://a.test/x" + from + "\trel=listed\n"
		nested = "http://a.test/1.xml" + from + "\trel=sitemap\n"
		reason = "reason sitemap 1"
	)
	for _, c := range []struct {
		name             string
		line, head, body string
		links            string
		report           string // lines of it, with semicolons
	}{
		{"urlset", line, xml, urlset, page, reason + ";count bad-links 1;count sitemap-links 1"},
		{"index", line, xml, index, nested, reason},
		{"text", line, "HTTP/1.1 200 OK\r\nContent-Type: text/plain", "http://a.test/x\n", page, reason},
		{"a type that lies", line, htmlHead, index, nested, reason},
		{"a file", line, "HTTP/1.1 200 OK\r\nContent-Type: application/gzip", packed(index), nested, reason},
		{"a coding", line, xml + "\r\nContent-Encoding: gzip", packed(index), nested, reason},
		{"a file in a coding", line, xml + "\r\nContent-Encoding: gzip", packed(packed(index)), nested, reason},
		{"half a file", line, xml, packed(index)[:60], nested, reason + ";count cut-sitemaps 1"},
		{"a copy", line + "\tcopy=http://b.test/s.xml", xml, urlset, "", reason},
		{"a copy with a relative entry", line + "\tcopy=http://b.test/s.xml", xml,
			"<rss><channel><item><link>/x</link></item><item><link>http://a.test/y</link></item></channel></rss>",
			page, reason},
		{"a page", line, htmlHead, "<html><a href=y>", "", "reason not-sitemap 1"},
		{"nothing", line, xml, "", "", "reason not-sitemap 1"},
		{"gone", line, "HTTP/1.1 404 Not Found\r\nContent-Type: application/xml", urlset, "", "reason status-4xx 1"},
		{"moved", line, "HTTP/1.1 301 Moved\r\nLocation: /new.xml", "", "http://a.test/new.xml" + from +
			"\tredirects=1\trel=sitemap\n", "reason redirect 1"},
		{"not asked for as one", "http://a.test/sitemap.xml", xml, urlset, "", "reason not-html 1"},
		{"a feed", "http://a.test/sitemap.xml\tdepth=1", "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml",
			"<rss><channel><item><link>/x</link></item></channel></rss>", page, reason},
		{"a feed that says that it is text", "http://a.test/sitemap.xml\tdepth=1",
			"HTTP/1.1 200 OK\r\nContent-Type: text/plain",
			"<rss><channel><item><link>/x</link></item></channel></rss>", "", "reason not-html 1"},
		{"XML", "http://a.test/a.xml", xml, "<a/>", "", "reason not-html 1"},
		{"a page that one lists", "http://a.test/p\trel=listed", htmlHead, "<a href=y>",
			"http://a.test/y\tdepth=1\tvia=http://a.test/p\n", "reason extracted 1"},
	} {
		r := stagetest.MustRun(t, tool(), setup, "", batch(t, answer{c.line, c.head, c.body}))
		if r.Stdout != c.links {
			t.Errorf("%s: links\n%swant\n%s", c.name, r.Stdout, c.links)
		}
		for line := range strings.SplitSeq(c.report, ";") {
			if !r.Has(line) {
				t.Errorf("%s: report lacks %q:\n%s", c.name, line, r.Report)
			}
		}
	}
}

// TestSitemapBomb holds that a sitemap which unfolds to more than the protocol allows is cut.
func TestSitemapBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	bomb := packed("<urlset><url><loc>/x</loc></url>" + strings.Repeat(strings.Repeat(" ", 1<<19)+"<x/>", 120) +
		"<url><loc>/y</loc></url></urlset>")
	r := stagetest.MustRun(t, tool(), setup, "", batch(t,
		answer{"http://a.test/s.gz\trel=sitemap", "HTTP/1.1 200 OK", bomb}))
	if !r.Has("count cut-sitemaps 1") || !r.Has("count sitemap-links 1") {
		t.Errorf("report\n%s", r.Report)
	}
}
