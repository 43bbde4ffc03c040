package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/jimsmart/grobotstxt"
)

// folder is a web whose hosts are the folders of one directory.
type folder struct {
	root   *os.Root
	hosts  map[string]int    // numbered in order of name
	robots map[string]string // robots.txt by host, where there is one
}

// openFolder opens dir as a web. Its hosts are those that it has now.
func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the web: %w", err)
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list the hosts of %s: %w", dir, err)
	}
	f := &folder{root: root, hosts: map[string]int{}, robots: map[string]string{}}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && name == strings.ToLower(name) && !strings.HasPrefix(name, ".") {
			f.hosts[name] = len(f.hosts)
			if text, err := root.ReadFile(name + "/robots.txt"); err == nil {
				f.robots[name] = string(text)
			}
		}
	}
	if len(f.hosts) == 0 {
		return nil, fmt.Errorf("open the web: %s has no folders; want one for each host, as %s/www.example.org", dir,
			dir)
	}
	return f, nil
}

func (f *folder) number(host string) (int, bool) {
	n, ok := f.hosts[host]
	return n, ok
}

func (f *folder) faultOf(int) *fault { return nil }

func (f *folder) answer(host, target, userAgent string, buf []byte) answer {
	a := f.find(host, plainEscapes(target), buf)
	if a.kind != kindRobots && f.forbids(host, a.target, userAgent) {
		a.kind = kindForbidden
	}
	return a
}

// find is the answer of target, whatever robots.txt says.
func (f *folder) find(host, target string, buf []byte) answer {
	rest, query, hasQuery := strings.Cut(target, "?")
	name, ok := fileName(rest)
	if _, known := f.hosts[host]; !known || !ok {
		return notFound(kindNotFound, target, buf)
	}
	if target == "/robots.txt" {
		return f.file(kindRobots, path.Join(host, name), target, buf)
	}
	info, err := f.root.Stat(path.Join(host, name))
	slash := strings.HasSuffix(rest, "/")
	switch {
	case err != nil || slash && !info.IsDir():
		return notFound(kindNotFound, target, buf)
	case info.IsDir() && !slash:
		location := "http://" + host + rest + "/"
		if hasQuery {
			location += "?" + query
		}
		return moved(http.StatusMovedPermanently, location, target, buf)
	case info.IsDir():
		name = path.Join(name, "index.html")
	}
	k := kindNonHTML
	if typeByExtension(name) == "text/html" {
		k = kindPage
	}
	return f.file(k, path.Join(host, name), target, buf)
}

// fileName is the name of a file, seen from a host's folder, for the path of a URL; "" is
// the folder itself. A path is refused where it could name anything but what it says.
func fileName(rest string) (string, bool) {
	name, err := url.PathUnescape(rest)
	if err != nil || strings.Contains(rest, "%2F") || strings.ContainsRune(name, 0) {
		return "", false
	}
	name, ok := strings.CutPrefix(name, "/")
	if name = strings.TrimSuffix(name, "/"); name == "" {
		return "", rest == "/"
	}
	return name, ok && name != "." && fs.ValidPath(name)
}

// file answers with a file; a folder is none.
func (f *folder) file(k kind, name, target string, buf []byte) answer {
	body, err := f.read(name, buf)
	if err != nil {
		if k != kindRobots {
			k = kindNotFound
		}
		return notFound(k, target, buf)
	}
	return answer{k, target, http.StatusOK, typeByExtension(name), "", body}
}

// read appends the content of a regular file to buf.
func (f *folder) read(name string, buf []byte) ([]byte, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("no regular file")
	}
	start := len(buf)
	buf = append(buf, make([]byte, info.Size())...)
	_, err = io.ReadFull(file, buf[start:])
	return buf, err
}

// forbids tells whether robots.txt of host forbids target to the crawler that
// says it is userAgent.
func (f *folder) forbids(host, target, userAgent string) bool {
	text, ok := f.robots[host]
	token, _, _ := strings.Cut(userAgent, "/")
	return ok && !grobotstxt.AgentAllowed(text, token, "http://"+host+target)
}

// typeByExtension is the content type of a file, by a table of its own: that of the system
// differs from machine to machine.
func typeByExtension(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm":
		return "text/html"
	case ".xhtml":
		return "application/xhtml+xml"
	case ".txt", ".md":
		return "text/plain"
	case ".css":
		return "text/css"
	case ".js":
		return "text/javascript"
	case ".xml":
		return "application/xml"
	case ".json":
		return "application/json"
	case ".gif":
		return "image/gif"
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".svg":
		return "image/svg+xml"
	case ".pdf":
		return "application/pdf"
	}
	return "application/octet-stream"
}
