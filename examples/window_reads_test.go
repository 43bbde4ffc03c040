package examples

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// TestWindowReads: no request changes a file, whatever its method, on all pages that links lead to;
// nor is anything answered from outside of the crawl's directory, or from its secret.
func TestWindowReads(t *testing.T) {
	t.Parallel()
	b := hostileTextsBench(t)
	const canary = "outside-canary"
	b.write("outside.html", canary)
	if err := os.WriteFile(b.crawlPath("secret"), []byte(canary), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"absolute.html": b.path("outside.html"), "relative.html": "../../outside.html",
		"secret.html": "../secret", "folder.html": "/etc"} {
		if err := os.Symlink(to, b.crawlPath("page/"+link)); err != nil {
			t.Fatal(err)
		}
	}
	w := openWindow(t, b.bin, b.path(b.script))
	before := whole(t, b.dir)
	pages := w.allPages(canary)
	if len(pages) < 40 {
		t.Errorf("links lead to only %d pages", len(pages))
	}
	for i, page := range pages {
		methods := []string{"POST", "DELETE"}
		if i < 10 {
			methods = append(methods, "PUT", "PATCH", "OPTIONS", "PROPFIND", "CONNECT")
		}
		for _, method := range methods {
			if status, _ := w.ask(method, page); status < 400 {
				t.Errorf("%s %s is answered %d", method, page, status)
			}
		}
	}
	for _, path := range outside(pages) {
		status, body := w.ask("GET", path)
		if status == http.StatusTemporaryRedirect { // to the same path without dots
			_, body = w.ask("GET", linksOf(t, body)[0])
		} else if status < 400 {
			t.Errorf("GET %s is answered %d", path, status)
		}
		if strings.Contains(body, canary) || strings.Contains(body, "root:") {
			t.Errorf("GET %s shows what is outside of the crawl, or its secret", path)
		}
	}
	if after := whole(t, b.dir); !maps.Equal(before, after) {
		t.Errorf("requests have changed files:\n%v\n%v", before, after)
	}
}

// outside are requests for what is not the crawl's to show, in the places of pages that name a
// file.
func outside(pages []string) (paths []string) {
	files := []string{"..%2f..%2foutside.html", "..%2F..%2F..%2F..%2F..%2F..%2Fetc%2Fpasswd", "%2e%2e/%2e%2e/outside.html",
		"../../outside.html", "..", ".", "%00", "%2fetc%2fpasswd", "/etc/passwd", "..%5c..%5coutside.html",
		"....//outside.html",
		"..%252f..%252foutside.html", "absolute.html", "relative.html", "secret.html", "folder.html", "../secret", "secret",
		"m-000000000002-00001.html%00.svg", "%ff%fe"}
	queues := []string{"page", ".", "..", "%2e%2e", "state", "log", "history", "work", "nowhere", "inbox", "%2f", "secret"}
	crawl := ""
	for _, page := range pages {
		if strings.Count(page, "/") == 3 && strings.HasPrefix(page, "/c/") && strings.HasSuffix(page, "/") {
			crawl = page
		}
	}
	for _, kind := range []string{"batch", "download", "raw"} {
		for _, queue := range queues {
			for _, file := range files {
				paths = append(paths, crawl+kind+"/"+queue+"/"+file)
			}
		}
	}
	return append(paths, crawl+"../../outside.html", "/../../etc/passwd", "//etc/passwd", "/c/..%2f..%2fcrawl.toml",
		"/c/%2e%2e/",
		"/etc/passwd", crawl+"chart/..%2f..%2foutside.html", crawl+"queue/..%2f..", crawl+"stage/..%2f..")
}

// ask makes one request, its path as it is, and returns what was answered, of an endless answer the
// beginning.
func (w *windowed) ask(method, path string) (status int, body string) {
	w.t.Helper()
	client := &http.Client{Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequest(method, w.url("/"), strings.NewReader(""))
	if err != nil {
		w.t.Fatal(err)
	}
	path, query, _ := strings.Cut(path, "?")
	req.URL.Opaque, req.URL.RawQuery = "//"+w.host+path, query
	resp, err := client.Do(req)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return resp.StatusCode, ""
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	if to := resp.Header.Get("Location"); to != "" {
		text = append(text, fmt.Sprintf("<a href=%q>", to)...)
	}
	return resp.StatusCode, string(text)
}

// allPages are the addresses that links, forms, frames and pictures lead to from the first page.
// None may answer with what holds the canary, and each must be there.
func (w *windowed) allPages(canary string) (pages []string) {
	w.t.Helper()
	seen := map[string]bool{"/": true}
	for todo := []string{"/"}; len(todo) > 0 && len(pages) < 500; todo = todo[1:] {
		pages = append(pages, todo[0])
		status, body := w.ask("GET", todo[0])
		if status >= 400 {
			w.t.Errorf("a link leads to %s, which is answered %d", todo[0], status)
		}
		if strings.Contains(body, canary) {
			w.t.Errorf("%s shows what is outside of the crawl, or its secret", todo[0])
		}
		if strings.Contains(todo[0], "/raw/") || strings.Contains(todo[0], "/download/") {
			continue // these are files of the crawl, as they are
		}
		for _, to := range linksOf(w.t, body) {
			u, err := url.Parse(w.url(todo[0]))
			if err == nil {
				u, err = u.Parse(to)
			}
			if err != nil {
				w.t.Errorf("%s links to %q: %v", todo[0], to, err)
				continue
			}
			if u.Scheme == "data" {
				continue
			}
			if u.Host != w.host {
				w.t.Errorf("%s links to %s", todo[0], u)
				continue
			}
			if next := u.RequestURI(); !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return pages
}

// linksOf are the addresses that a page names.
func linksOf(t testing.TB, body string) (links []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "href" || a.Key == "src" || a.Key == "action" {
				if a.Val != "" && a.Val[0] != '#' {
					links = append(links, a.Val)
				}
			}
		}
	}
	return links
}

// whole is all that there is in a folder: of each file its mode, time and content.
func whole(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = fmt.Sprintf("%x", sha256.Sum256(text))
		}
		all[path] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), info.Size(), content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
