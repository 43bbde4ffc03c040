package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/testkit/stagetest"
)

// TestJudged: each answer is judged once, by the first rule that applies, and the links carry what
// their page was worth.
func TestJudged(t *testing.T) {
	const page, gone, away = htmlHead, "HTTP/1.1 404 Not Found", "HTTP/1.1 302 Found\r\nLocation: /a"
	for _, c := range []struct {
		flags      []string
		line, head string
		want       string // its record; "": none
		links      string // attributes of its link
	}{
		{nil, "http://a.test/\tdepth=2\tvia=http://b.test/\tanchor=the%20law\tparent=0.5\tscore=0.1\ttries=1", page,
			"http://a.test/\tworth=1\tdepth=2\tvia=http://b.test/\tanchor=the%20law\tparent=0.5", ""},
		{nil, "http://a.test/\tworth=0.253", page, "http://a.test/\tworth=0.25", "parent=0.25"},
		{nil, "http://a.test/\tworth=0", page, "http://a.test/\tworth=0", "parent=0"},
		{nil, "http://a.test/\tworth=7", page, "http://a.test/\tworth=1", ""},
		{nil, "http://a.test/\tworth=x", page, "http://a.test/\tworth=0", "parent=0"},
		{nil, "http://a.test/", gone, "http://a.test/\tworth=0", ""},
		{nil, "http://a.test/\tworth=1", gone, "http://a.test/\tworth=1", ""},
		{nil, "http://a.test/r", away, "http://a.test/r\tworth=0", "redirects=1"},
		{[]string{"-wanted", "law"}, "http://a.test/r\tparent=0.7", away,
			"http://a.test/r\tworth=0\tparent=0.7", "parent=0.7\tredirects=1"},
		{nil, "http://a.test/", "HTTP/1.1 200 OK\r\nContent-Type: image/png", "http://a.test/\tworth=1", ""},
		{nil, "http://a.test/\tnear=http://a.test/x", page, "http://a.test/\tworth=0", ""},
		{nil, "http://a.test/\tnear=http://a.test/x\tworth=0.5", page, "http://a.test/\tworth=0", "parent=0.5"},
		{nil, "http://a.test/\tnear=http://a.test/", page, "http://a.test/\tworth=1", ""},
		{nil, "http://a.test/\tcopy=http://b.test/", page, "", ""},
		{nil, "http://a.test/\tcopy=http://b.test/", gone, "", ""},
		{nil, "http://a.test/\tvisit=1", page, "", ""},
		{nil, "http://a.test/\trel=sitemap", page, "", ""},
		{[]string{"-wanted", "arts,law"}, "http://a.test/\tlabel=law\tsure=0.8", page,
			"http://a.test/\tworth=0.8", "parent=0.8"},
		{[]string{"-wanted", "arts,law"}, "http://a.test/\tlabel=sport\tsure=0.8", page,
			"http://a.test/\tworth=0", "parent=0"},
		{[]string{"-wanted", "law"}, "http://a.test/", page, "http://a.test/\tworth=0", "parent=0"},
		{[]string{"-wanted", "law"}, "http://a.test/\tlabel=law\tsure=1\tworth=0.5", page,
			"http://a.test/\tworth=0.5", "parent=0.5"},
	} {
		judged := filepath.Join(t.TempDir(), "judged")
		r := stagetest.MustRun(t, tool(), setup, "", append([]string{"-judged", judged}, append(c.flags,
			batch(t, answer{c.line, c.head, "<a href=/b>"}))...)...)
		said, err := os.ReadFile(judged)
		if err != nil && c.want != "" {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(string(said), "\n"); got != c.want {
			t.Errorf("%s: judged as %q, want %q", c.line, got, c.want)
		}
		if _, via, _ := strings.Cut(strings.TrimSpace(r.Stdout), "\tvia="); r.Stdout != "" {
			if _, rest, _ := strings.Cut(via, "\t"); rest != c.links {
				t.Errorf("%s: its link is %q, want %s", c.line, r.Stdout, c.links)
			}
		}
	}
}

// TestRevisitIsWorthNothing: what xdup found to be a duplicate was not worth its request.
func TestRevisitIsWorthNothing(t *testing.T) {
	judged := filepath.Join(t.TempDir(), "judged")
	p := stagetest.Pack(t, stagetest.Answer(t, "http://a.test/2", htmlHead+"\r\n\r\n<a href=/x>"))
	p = stagetest.Revisit(t, p, warc.Original{URL: "http://a.test/first", Date: time.Unix(1_700_000_000, 0)})
	stagetest.MustRun(t, tool(), setup, string(p.Response)+string(p.Request), "-judged", judged)
	if said, _ := os.ReadFile(judged); string(said) != "http://a.test/2\tworth=0\n" {
		t.Errorf("judged: %q", said)
	}
}

// TestScore: with -score links have the worth of their page as their score; the target of a redirect
// has that of the URL that led to it.
func TestScore(t *testing.T) {
	const away = "HTTP/1.1 302 Found\r\nLocation: /b"
	for _, c := range []struct {
		flags, line, head string
		want              string // attributes of the link
	}{
		{"-score", "http://a.test/\tscore=0.1", htmlHead, "score=1"},
		{"-score -wanted law", "http://a.test/\tlabel=law\tsure=0.873", htmlHead, "score=0.87"},
		{"-score -wanted law", "http://a.test/\tlabel=arts\tsure=0.873", htmlHead, "score=0"},
		{"-score -wanted law", "http://a.test/", htmlHead, "score=0"},
		{"-score -wanted law", "http://a.test/\tworth=0.5", htmlHead, "score=0.5"},
		{"-score", "http://a.test/\tworth=0\tlinks=0.456", htmlHead, "score=0.46"},
		{"-score", "http://a.test/\tworth=0.5\tlinks=0", htmlHead, "score=0"},
		{"-score -wanted *", "http://a.test/\tlabel=arts\tsure=0.873", htmlHead, "score=0.87"},
		{"-score -wanted *", "http://a.test/\tlabel=de", htmlHead, "score=0"},
		{"-score -wanted *", "http://a.test/", htmlHead, "score=0"},
		{"-score -wanted law", "http://a.test/r\tscore=0.1", away, "score=0.1\tredirects=1"},
		{"-score -wanted law", "http://a.test/r", away, "redirects=1"},
		{"-score -judged " + filepath.Join(t.TempDir(), "judged"), "http://a.test/\tworth=0.5", htmlHead,
			"parent=0.5\tscore=0.5"},
		{"-ignore-nofollow", "http://a.test/\tlabel=law\tsure=0.873\tscore=0.1", htmlHead, ""},
		{"-ignore-nofollow", "http://a.test/r\tscore=0.1", away, "redirects=1"},
	} {
		r := stagetest.MustRun(t, tool(), setup, "", append(strings.Fields(c.flags),
			batch(t, answer{c.line, c.head, "<a href=/b>"}))...)
		_, via, _ := strings.Cut(strings.TrimSpace(r.Stdout), "\tvia=")
		if _, rest, _ := strings.Cut(via, "\t"); rest != c.want {
			t.Errorf("%s, %s: the link is %q, want %s", c.flags, c.line, r.Stdout, c.want)
		}
	}
	if r := stagetest.Run(t, tool(), setup, "", "-wanted", "law"); r.Code != 2 {
		t.Errorf("-wanted alone ends with %d, want 2", r.Code)
	}
}
