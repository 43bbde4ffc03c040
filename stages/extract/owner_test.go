package main

import (
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestOwner holds that links carry the owner of their page, whatever the page is, and nothing else
// of it.
func TestOwner(t *testing.T) {
	r := stagetest.MustRun(t, tool(), setup, "", batch(t,
		answer{"http://a.test/1\tdepth=1\towner=arts\tlabel=x\tanchor=y", htmlHead, "<a href=/x><a href=/y>"},
		answer{"http://a.test/2", htmlHead, "<a href=/z>"},
		answer{"http://a.test/3\towner=arts", "HTTP/1.1 301 Moved\r\nLocation: /4", ""},
		answer{"http://a.test/s\towner=arts\trel=sitemap", htmlHead,
			"<urlset><url><loc>http://a.test/5</loc></url></urlset>"},
	))
	const want = "http://a.test/x\tdepth=2\tvia=http://a.test/1\towner=arts\n" +
		"http://a.test/y\tdepth=2\tvia=http://a.test/1\towner=arts\n" +
		"http://a.test/z\tdepth=1\tvia=http://a.test/2\n" +
		"http://a.test/4\tdepth=1\tvia=http://a.test/3\towner=arts\tredirects=1\n" +
		"http://a.test/5\tdepth=1\tvia=http://a.test/s\towner=arts\trel=listed\n"
	if r.Stdout != want {
		t.Errorf("links:\n%s\nwant:\n%s", r.Stdout, want)
	}
}

// TestDepth holds that no page, wherever it comes from, has links that are less deep than one.
func TestDepth(t *testing.T) {
	r := stagetest.MustRun(t, tool(), setup, "", batch(t,
		answer{"http://a.test/1\tdepth=-1000000", htmlHead, "<a href=/x>"},
		answer{"http://a.test/2\tdepth=9223372036854775807", htmlHead, "<a href=/y>"},
		answer{"http://a.test/3\tdepth=99999999999999999999", htmlHead, "<a href=/z>"},
	))
	const want = "http://a.test/x\tdepth=1\tvia=http://a.test/1\n" +
		"http://a.test/y\tdepth=1073741824\tvia=http://a.test/2\n" +
		"http://a.test/z\tdepth=1\tvia=http://a.test/3\n"
	if r.Stdout != want {
		t.Errorf("links:\n%s\nwant:\n%s", r.Stdout, want)
	}
}
