package media

import (
	"strings"
	"testing"
)

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		contentType, mediaType string
		declared, html         bool
	}{
		{"text/html", "text/html", true, true},
		{" Text/HTML ; charset=x", "text/html", true, true},
		{"text/html, text/plain", "text/html", true, true},
		{"application/xhtml+xml", "application/xhtml+xml", true, true},
		{"text/plain;charset=utf-8", "text/plain", true, false},
		{"", "", false, false},
		{"html", "html", false, false},
		{"*/*", "*/*", false, false},
		{"unknown/unknown; x", "unknown/unknown", false, false},
	} {
		if got := Type(c.contentType); got != c.mediaType || Declared(c.contentType) != c.declared ||
			IsHTML(c.contentType) != c.html {
			t.Errorf("%q: %q, declared %v, HTML %v", c.contentType, got, Declared(c.contentType), IsHTML(c.contentType))
		}
	}
}

func TestLooksHTML(t *testing.T) {
	for body, want := range map[string]bool{
		"<!DOCTYPE HTML>":        true,
		"\xef\xbb\xbf \n<p>":     true,
		"<A href=x>":             true,
		"<!-- a comment":         true,
		"<pre>":                  false, // by the standard
		"<p":                     false, // cut: nothing ends the name
		"plain words, <p> later": false,
		"":                       false,
	} {
		if LooksHTML([]byte(body)) != want {
			t.Errorf("%q: %v", body, !want)
		}
	}
}

// TestOf has the rows of the Fetch standard's example, and some of the web.
func TestOf(t *testing.T) {
	for _, c := range []struct{ values, want string }{
		{"", ""},
		{"text/html", "text/html"},
		{"text/plain|text/html", "text/html"},
		{"text/html|text/plain", "text/plain"},
		{"text/html, text/plain", " text/plain"},
		{"text/html;charset=gbk|text/html", "text/html;charset=gbk"},
		{"text/html;charset=gbk|text/html;charset=utf-8", "text/html;charset=utf-8"},
		{"text/html;charset=gbk, text/plain;charset=a|text/html", "text/html"},
		{"text/html|*/*", "text/html"},
		{"text/html|html|", "text/html"},
		{`text/html;x=",text/plain"`, `text/html;x=",text/plain"`},
	} {
		if got := Of(strings.Split(c.values, "|")); got != c.want {
			t.Errorf("Of(%q) = %q, want %q", c.values, got, c.want)
		}
	}
}

func TestIsPage(t *testing.T) {
	const root = `<html lang="en" xmlns="http://www.w3.org/1999/xhtml">`
	for _, c := range []struct {
		contentType, body string
		want              bool
	}{
		{"text/html", "", true},
		{"application/xhtml+xml", "", true},
		{"", "<p>", true},
		{"html", "<p>", true},
		{"html", "words", false},
		{"text/plain", root, false},
		{"application/xml", root, true},
		{"text/xml; charset=x", "\xef\xbb\xbf<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0" +
			" Strict//EN\">\n<!-- <rss> -->" + root, true},
		{"application/xml", "<html><a href='x'/></html>", false},
		{"application/xml", "<rss>" + root, false},
		{"image/svg+xml", "<svg>", false},
	} {
		if got := IsPage(c.contentType, []byte(c.body)); got != c.want || got && !MayBePage(c.contentType) {
			t.Errorf("IsPage(%q, %q) = %v", c.contentType, c.body, got)
		}
	}
}
