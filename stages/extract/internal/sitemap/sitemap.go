// Package sitemap reads the lists of URLs that sites publish for crawlers (sitemaps.org, protocol
// 0.9).
//
// Known are, told apart by their content, for their types lie:
//
//	urlset        XML: the LOC of each URL is a page
//	sitemapindex  XML: the LOC of each SITEMAP is another list
//	text          a URL a line, the first of which is one with http: or https:
//	RSS, Atom     the LINK of each item or entry is a page, and so is a GUID that is a permalink;
//	              such lists name what is new
//
// A byte order mark or an XML declaration tells the charset of a list; without these it is UTF-8,
// or windows-1252 if it is not valid UTF-8. Images, videos, other languages, lastmod and priority
// are passed over. Sites may list pages of others, which the protocol forbids; restrict decides
// what belongs to a crawl.
//
// # Bounds
//
// A list has at most [MaxURLs] URLs, the bound of the protocol; those beyond are counted. The
// caller gives at most [MaxSize] bytes. XML is read by tokens of at most 1 MiB and leniently:
// elements need not match, nesting costs no memory, and entities that a document type declares mean
// nothing. If the XML cannot be read further, what came before counts. Memory is a few times that
// of the document.
package sitemap

import (
	"bytes"
	"errors"
	"strings"

	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/charset"
)

// The bounds of the protocol.
const (
	MaxURLs = 50_000
	MaxSize = 50 << 20 // bytes, uncompressed
)

// ErrNone means that a document is none of the known lists.
var ErrNone = errors.New("no sitemap")

// An Entry is one URL of a list.
type Entry struct {
	URL     string // canonical
	Sitemap bool   // it is another list
}

// Result is what a list holds.
type Result struct {
	Entries []Entry // in their order, each URL once
	Feed    bool    // it is RSS or Atom

	Bad  int  // left out: no http or https URL, or beyond the bounds of package canon
	Over int  // left out: more than MaxURLs
	Cut  bool // it cannot be read to its end
}

// Read reads the list body that was found at url, which is canonical; whole is false if body
// breaks off. The error is ErrNone, or says that url is not canonical.
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
			body = body[:bytes.LastIndexAny(body, "\r\n")+1] // half a URL is another
		}
		err = l.text(body)
	}
	l.Cut = l.Cut || !whole
	return l.Result, err
}

// A list gathers entries.
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

// text reads a URL a line. Relative ones are none: any text would be a list of them.
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
