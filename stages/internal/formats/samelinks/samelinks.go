// Package samelinks determines which answers with the same body have the same links. Their heads
// must agree about links, and their URLs must be equal except for the query, because relative links
// depend on the URL.
package samelinks

import (
	"crypto/sha1"
	"encoding/binary"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/media"
)

// None is the number for answers without links.
const None = 1

// Of returns a number for everything except body and URL that determines the links of an answer:
// the fields of its head that extract uses, and whether it is read as a sitemap.
func Of(a *warc.Answer, record *urlbatch.Record) uint32 {
	h, err := a.HTTP()
	if err != nil {
		return None
	}
	rel, _ := record.Get(urlbatch.Rel)
	if rel != urlbatch.Sitemap {
		rel = "" // no other is read differently
	}
	if rel == "" && !media.MayBePage(h.Header.ContentType()) {
		return None
	}
	var text []byte
	for _, name := range []string{"Content-Type", "Content-Encoding", "X-Robots-Tag", "Link", "Refresh"} {
		for _, value := range h.Header.Values(name) {
			text = append(append(append(append(text, name...), ':'), value...), '\n')
		}
	}
	return max(Hash(rel+"\n"+string(text)), None+1)
}

// Split returns the scheme with host, and the path of a URL. Relative links depend on these and not
// on the query.
func Split(raw string) (server, path string, ok bool) {
	url, err := canon.Parse(raw)
	if err != nil {
		return "", "", false
	}
	path = canon.Path(url)
	server = url[:len(url)-len(path)]
	path, _, _ = strings.Cut(path, "?")
	return server, path, true
}

// Hash returns the first bytes of a text's SHA-1.
func Hash(s string) uint32 {
	sum := sha1.Sum([]byte(s))
	return binary.LittleEndian.Uint32(sum[:])
}
