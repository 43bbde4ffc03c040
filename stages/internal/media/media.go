// Package media tells by an answer's Content-Type, and where that says nothing by the first bytes of its
// body, what a browser would take it for.
package media

import (
	"bytes"
	"strings"
)

// Declared tells whether a Content-Type says anything. Some servers send one of these for what they
// do not know.
func Declared(contentType string) bool {
	switch Type(contentType) {
	case "", "unknown/unknown", "application/unknown", "*/*":
		return false
	}
	return true
}

// IsHTML tells whether a Content-Type names HTML, in one of its forms.
func IsHTML(contentType string) bool {
	switch Type(contentType) {
	case "text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml":
		return true
	}
	return false
}

// IsXML tells whether a Content-Type names XML, as XHTML is served in its strict form.
func IsXML(contentType string) bool {
	t := Type(contentType)
	return t == "application/xml" || t == "text/xml" || strings.HasSuffix(t, "+xml")
}

// Type gives the type/subtype of a Content-Type in lower case, without parameters: the first, of several with commas between.
func Type(contentType string) string {
	if end := strings.IndexAny(contentType, ";,"); end >= 0 {
		contentType = contentType[:end]
	}
	return strings.ToLower(strings.TrimSpace(contentType))
}

// LooksHTML tells whether a body of unknown type begins as HTML does: the signatures of the standard
// (MIME Sniffing, section 7.1), behind a byte order mark and blanks.
func LooksHTML(body []byte) bool {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	body = bytes.TrimLeft(body, " \t\r\n\f")
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
		"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p"} {
		if n := len(tag); len(body) > n && bytes.EqualFold(body[:n], []byte(tag)) && (body[n] == ' ' || body[n] == '>') {
			return true
		}
	}
	return bytes.HasPrefix(body, []byte("<!--"))
}
