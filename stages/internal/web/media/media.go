// Package media determines how a browser would treat an answer: by its Content-Type, or, if that is
// missing, by the first bytes of its body.
package media

import (
	"bytes"
	"mime"
	"regexp"
	"strings"
)

// Of returns of the values of an answer's Content-Type fields the one that counts, or "" if none
// says anything: the last type, with the charset of one before it that was the same (Fetch,
// "extract a MIME type").
func Of(values []string) string {
	if len(values) == 1 && !strings.Contains(values[0], ",") {
		return values[0]
	}
	last, charset := "", false
	for _, value := range values {
		for value != "" {
			var one string
			if one, value = CutUnquoted(value, ','); !Declared(one) {
				continue
			}
			_, params, _ := mime.ParseMediaType(one)
			if same := Type(one) == Type(last); !same || params["charset"] != "" || !charset {
				last, charset = one, params["charset"] != ""
			}
		}
	}
	return last
}

// CutUnquoted splits the value of an HTTP field at the first sep outside double quotes.
func CutUnquoted(s string, sep byte) (before, after string) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// Declared reports whether a Content-Type says anything. Some servers send one of these for what
// they do not know, or a word that is no type/subtype ("html").
func Declared(contentType string) bool {
	switch t := Type(contentType); t {
	case "unknown/unknown", "application/unknown", "*/*":
		return false
	default:
		return strings.Contains(t, "/")
	}
}

// MayBePage reports whether an answer with this Content-Type may be an HTML page, so that its body
// should be examined.
func MayBePage(contentType string) bool {
	return !Declared(contentType) || IsHTML(contentType) || IsXML(contentType)
}

// IsPage reports whether an answer is a page: HTML, or XML with the root of XHTML.
func IsPage(contentType string, body []byte) bool {
	switch {
	case IsHTML(contentType):
		return true
	case IsXML(contentType):
		return xhtml.Match(body[:min(len(body), maxProlog)])
	}
	return !Declared(contentType) && LooksHTML(body)
}

// maxProlog bounds what may stand in front of the root of XHTML, with its first tag.
const maxProlog = 4 << 10

// xhtml is the beginning of XHTML: comments, instructions and a document type, and then its root.
var xhtml = regexp.MustCompile(`^\x{feff}?(?s:\s+|<\?.*?\?>|<!--.*?-->|<![A-Z][^>\[]*>)*` +
	`<html\s[^>]*xmlns\s*=\s*["']http://www\.w3\.org/1999/xhtml["']`)

// IsHTML reports whether a Content-Type names HTML, in one of its forms.
func IsHTML(contentType string) bool {
	switch Type(contentType) {
	case "text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml":
		return true
	}
	return false
}

// IsXML reports whether a Content-Type names XML, as XHTML is served in its strict form.
func IsXML(contentType string) bool {
	t := Type(contentType)
	return t == "application/xml" || t == "text/xml" || strings.HasSuffix(t, "+xml")
}

// Type returns the type/subtype of a Content-Type in lower case, without parameters: the first,
// where several are left that Of did not judge.
func Type(contentType string) string {
	if end := strings.IndexAny(contentType, ";,"); end >= 0 {
		contentType = contentType[:end]
	}
	return strings.ToLower(strings.TrimSpace(contentType))
}

// LooksHTML reports whether a body of unknown type begins as HTML does: the signatures of the
// standard (MIME Sniffing, section 7.1), behind a byte order mark and blanks.
func LooksHTML(body []byte) bool {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	body = bytes.TrimLeft(body, " \t\r\n\f")
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
		"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p"} {
		if n := len(tag); len(body) > n && bytes.EqualFold(body[:n], []byte(tag)) &&
			(body[n] == ' ' || body[n] == '>') {
			return true
		}
	}
	return bytes.HasPrefix(body, []byte("<!--"))
}
