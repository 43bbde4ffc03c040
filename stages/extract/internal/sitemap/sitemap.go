// Package sitemap reads the lists of URLs that sites publish for crawlers (sitemaps.org, protocol
// 0.9).
//
// The package detects the format by the content, because media types are often wrong:
//
//	urlset        XML: the LOC of each URL is a page
//	sitemapindex  XML: the LOC of each SITEMAP is another list
//	text          a URL a line; the first URL begins with http: or https:
//	RSS, Atom     the LINK of each item or entry is a page, and so is a GUID that is a permalink;
//	              such lists name new pages
//
// A byte order mark or an XML declaration names the charset of a list. Without these, the charset
// is UTF-8, or windows-1252 if the list is not valid UTF-8. Images, videos, other languages,
// lastmod and priority are ignored. A site may list pages of other sites, which the protocol
// forbids. restrict decides which URLs belong to a crawl.
//
// # Bounds
//
// A list has at most [MaxURLs] URLs, the limit of the protocol; URLs beyond it are only counted.
// The caller passes at most [MaxSize] bytes. XML is read leniently, as tokens of at most 1 MiB.
// Elements need not match, nesting costs no memory, and entities that a document type declares are
// ignored. If the rest of the XML cannot be parsed, the entries before it are returned. Memory is a
// few times the size of the document.
package sitemap

import (
	"bytes"
	"errors"
	"strings"

	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/charset"
)

// The limits of the protocol.
const (
	MaxURLs = 50_000
	MaxSize = 50 << 20 // bytes, uncompressed
)

// ErrNone means that a document is not a list in a known format.
var ErrNone = errors.New("no sitemap")

// An Entry is one URL of a list.
type Entry struct {
	URL     string // canonical
	Sitemap bool   // the URL is another list
}

// Result is the content of a list.
type Result struct {
	Entries []Entry // in the order of the list, each URL once
	Feed    bool    // the list is RSS or Atom

	Bad  int  // left out: not an http or https URL, or over a limit of package canon
	Over int  // left out: more than MaxURLs
	Cut  bool // the list could not be read to its end
}

// Read parses body, the list at the canonical URL url. whole is false if body was cut. The error is
// ErrNone, or says that url is not canonical.
func Read(url string, body []byte, whole bool) (Result, error) {
	base, err := canon.NewBase(url)
	if err != nil {
		return Result{}, err
	}
	body, _, _ = charset.UTF8(body, "")
	body = bytes.TrimLeft(body, "\ufeff \t\r\n")
	l := list{base: base, seen: map[string]bool{url: true}}
	if bytes.HasPrefix(body, []byte("<")) {
		err = l.xml(body)
	} else {
		if !whole {
			body = body[:bytes.LastIndexAny(body, "\r\n")+1] // drops the last URL, which may be cut
		}
		err = l.text(body)
	}
	l.Cut = l.Cut || !whole
	return l.Result, err
}

// A list collects entries.
type list struct {
	Result
	base *canon.Base
	seen map[string]bool
	n    int
}

func (l *list) add(ref string, isList bool) {
	if l.n++; l.n > MaxURLs {
		l.Over++
		return
	}
	url, err := l.base.Resolve(strings.TrimSpace(ref))
	if err != nil {
		l.Bad++
		return
	}
	if !l.seen[url] {
		l.seen[url] = true
		l.Entries = append(l.Entries, Entry{URL: url, Sitemap: isList})
	}
}

// text reads a URL a line. It rejects relative URLs, because any text would be a list of them.
func (l *list) text(body []byte) error {
	for line := range bytes.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = bytes.TrimSpace(line)
		switch absolute := isAbsolute(line); {
		case !absolute && l.n == 0:
			return ErrNone
		case !absolute && len(line) > 0:
			l.n++
			l.Bad++
		case absolute:
			l.add(string(line[:min(len(line), canon.MaxLength+1)]), false)
		}
	}
	if l.n == 0 {
		return ErrNone
	}
	return nil
}

func isAbsolute(line []byte) bool {
	head := bytes.ToLower(line[:min(len(line), len("https://"))])
	return bytes.HasPrefix(head, []byte("http://")) || bytes.HasPrefix(head, []byte("https://"))
}
