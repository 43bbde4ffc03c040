package source

import (
	"bytes"
	"strconv"
	"strings"

	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/web/media"
)

// parse returns the page in a file.
func parse(b []byte) judge.Page {
	p := judge.Page{Status: 200, Body: b}
	least := 2 // lines of a header; fewer may be the first lines of a text
	if status, rest, ok := cutStatus(b); ok {
		p.Status, p.Body = status, rest
		least = 0
	}
	if contentType, rest, ok := cutHeader(p.Body, least); ok {
		p.ContentType, p.Body = contentType, rest
	}
	if !media.Declared(p.ContentType) {
		p.ContentType = "text/plain"
		if looksHTML(p.Body) {
			p.ContentType = "text/html"
		}
	}
	return p
}

// looksHTML reports whether b has an HTML tag near its beginning. This is enough, because the file
// is one of a collection of pages.
func looksHTML(b []byte) bool {
	begin := bytes.ToLower(b[:min(len(b), 1024)])
	return media.LooksHTML(b) || bytes.Contains(begin, []byte("<html")) || bytes.Contains(begin, []byte("<title>"))
}

// cutStatus splits b into an HTTP status line and the rest.
func cutStatus(b []byte) (status int, rest []byte, ok bool) {
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	fields := bytes.Fields(line[:min(len(line), 200)])
	if len(fields) < 2 || !bytes.HasPrefix(fields[0], []byte("HTTP/")) {
		return 0, nil, false
	}
	status, err := strconv.Atoi(string(fields[1]))
	return status, rest, err == nil
}

// cutHeader splits b into a header of at least that many lines, with the empty line after it, and
// the rest.
func cutHeader(b []byte, least int) (contentType string, rest []byte, ok bool) {
	for n := 0; ; n++ {
		line, after, found := bytes.Cut(b, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if !found || len(line) == 0 {
			return contentType, after, found && n >= least
		}
		name, value, _ := strings.Cut(string(line), ":")
		continued := n > 0 && (line[0] == ' ' || line[0] == '\t')
		if !continued && (len(name) == len(line) || !isToken(name)) {
			return "", nil, false
		}
		if strings.EqualFold(name, "Content-Type") {
			contentType = strings.TrimSpace(value)
		}
		b = after
	}
}

// isToken reports whether s is a valid name of a field.
func isToken(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}
