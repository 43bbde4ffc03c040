package media

import "testing"

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
		{"*/*", "*/*", false, false},
		{"unknown/unknown; x", "unknown/unknown", false, false},
	} {
		if got := Type(c.contentType); got != c.mediaType || Declared(c.contentType) != c.declared || IsHTML(c.contentType) != c.html {
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
