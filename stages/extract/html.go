package main

import (
	"bytes"
	"strings"
)

// declared tells whether a Content-Type says anything. Some servers send one of these for what they
// do not know.
func declared(contentType string) bool {
	switch mediaType(contentType) {
	case "", "unknown/unknown", "application/unknown", "*/*":
		return false
	}
	return true
}

func isHTML(contentType string) bool {
	switch mediaType(contentType) {
	case "text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml":
		return true
	}
	return false
}

// mediaType gives type/subtype in lower case, without parameters: the first, of several with commas between.
func mediaType(contentType string) string {
	if end := strings.IndexAny(contentType, ";,"); end >= 0 {
		contentType = contentType[:end]
	}
	return strings.ToLower(strings.TrimSpace(contentType))
}

// looksHTML tells whether a body of unknown type begins as HTML does: the signatures of the standard
// (MIME Sniffing, section 7.1), behind a byte order mark and blanks.
func looksHTML(body []byte) bool {
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
