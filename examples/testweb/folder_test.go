package main

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// makeWeb writes files by name under a new folder, beside which lies a secret.
func makeWeb(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	files["../secret.txt"] = "secret"
	for name, text := range files {
		file := filepath.Join(top, "web", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(top, "web")
}

func openWeb(t *testing.T, files map[string]string) (*folder, string) {
	t.Helper()
	dir := makeWeb(t, files)
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.root.Close() })
	return f, dir
}

func TestFolder(t *testing.T) {
	web, dir := openWeb(t, map[string]string{
		"a.test/index.html":      "front",
		"a.test/docs/index.html": "docs",
		"a.test/docs/a b.html":   "blank",
		"a.test/empty/x.css":     "css",
		"a.test/robots.txt":      "User-agent: mybot\nDisallow: /docs/a\n",
		"a.test/notype":          "?",
		"b.test/p.HTM":           "page",
		".git/config":            "private",
	})
	if err := os.Symlink("../../secret.txt", filepath.Join(dir, "a.test/out.html")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host, target string
		kind         kind
		status       int
		want         string // body, or Location of a redirect
	}{
		{"a.test", "/", kindPage, 200, "front"},
		{"a.test", "/index.html", kindPage, 200, "front"},
		{"a.test", "/?q=1", kindPage, 200, "front"},
		{"a.test", "/docs", kindRedirect, 301, "http://a.test/docs/"},
		{"a.test", "/docs?q=%2f", kindRedirect, 301, "http://a.test/docs/?q=%2F"},
		{"a.test", "/docs/", kindPage, 200, "docs"},
		{"a.test", "/d%6Fcs/", kindPage, 200, "docs"},
		{"a.test", "/docs/a%20b.html", kindForbidden, 200, "blank"},
		{"a.test", "/docs/absent.html", kindForbidden, 404, ""},
		{"a.test", "/absent", kindNotFound, 404, ""},
		{"a.test", "/empty/", kindNotFound, 404, ""},
		{"a.test", "/empty/x.css", kindNonHTML, 200, "css"},
		{"a.test", "/notype", kindNonHTML, 200, "?"},
		{"a.test", "/index.html/", kindNotFound, 404, ""},
		{"a.test", "/robots.txt", kindRobots, 200, "User-agent: mybot\nDisallow: /docs/a\n"},
		{"b.test", "/robots.txt", kindRobots, 404, ""},
		{"b.test", "/p.HTM", kindPage, 200, "page"},
		{"b.test", "/", kindNotFound, 404, ""},
		// ways out
		{"a.test", "/../secret.txt", kindNotFound, 404, ""},
		{"a.test", "/../../secret.txt", kindNotFound, 404, ""},
		{"a.test", "/%2e%2e/%2E%2E/secret.txt", kindNotFound, 404, ""},
		{"a.test", "/..%2fb.test%2fp.HTM", kindNotFound, 404, ""},
		{"a.test", "/docs/../index.html", kindNotFound, 404, ""},
		{"a.test", "//docs/", kindNotFound, 404, ""},
		{"a.test", "/./", kindNotFound, 404, ""},
		{"a.test", "/docs//", kindNotFound, 404, ""},
		{"a.test", "/index.html%00", kindNotFound, 404, ""},
		{"a.test", "/out.html", kindNotFound, 404, ""},
		{"..", "/secret.txt", kindNotFound, 404, ""},
		{".git", "/config", kindNotFound, 404, ""},
		{"", "/a.test/index.html", kindNotFound, 404, ""},
	} {
		a := web.answer(c.host, c.target, "mybot/1.0 (+http://example.org)", nil)
		got := string(a.body)
		if a.location != "" {
			got = a.location
		}
		if a.kind != c.kind || a.status != c.status || a.status != http.StatusNotFound && got != c.want {
			t.Errorf("%s %s: %s %d %q; want %s %d %q", c.host, c.target, a.kind, a.status, got, c.kind, c.status,
				c.want)
		}
	}
}

// TestLargeFileArrivesWhole is larger than what is sent in one piece.
func TestLargeFileArrivesWhole(t *testing.T) {
	text := strings.Repeat("0123456789", 30_000)
	web, _ := openWeb(t, map[string]string{"a.test/big.txt": text})
	srv, client := start(t, web, newFaults())
	if status, body := get(t, client, "http://a.test/big.txt"); status != 200 || body != text {
		t.Errorf("got %d and %d bytes, want %d", status, len(body), len(text))
	}
	if got := srv.ledger.stats().Kinds[kindNonHTML]; got != (kindCount{1, 0}) {
		t.Errorf("counted as %+v", got)
	}
}

func TestFolderWithoutHosts(t *testing.T) {
	if _, err := openFolder(t.TempDir()); err == nil || !strings.Contains(err.Error(), "want one for each host") {
		t.Errorf("got %v", err)
	}
}

func FuzzFileName(f *testing.F) {
	for _, s := range []string{"/", "/a/b.html", "/../x", "/%2e%2e/x", "//", "/a%00", "/%", "/a/./b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		name, ok := fileName(plainEscapes(rest))
		if ok && name != "" && (!fs.ValidPath(name) || !filepath.IsLocal(name) || bytes.ContainsRune([]byte(name), 0)) {
			t.Errorf("%q names %q", rest, name)
		}
	})
}
