package learned

import (
	"bytes"
	"math"
	"net/url"
	"strconv"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// Bounds of the features of a record.
const (
	maxWords = 24 // of a text
	maxWord  = 24 // bytes of a word
)

// features finds the features of rec.
func (m *Model) features(rec *urlbatch.Record) {
	m.found = m.found[:0]
	page := rec.URLBytes()
	host := canon.Hostname(page)
	m.add("", nil)
	m.words("host", host)
	m.add("folder", folder(page))
	if at := bytes.Index(page, []byte("://")); at >= 0 {
		m.words("word", page[min(at+len("://")+len(host), len(page)):])
	}
	if anchor, ok := rec.Get(urlbatch.Anchor); ok {
		m.words("anchor", []byte(anchor))
	}
	if via, ok := rec.Get(urlbatch.Via); ok {
		m.add("via", folder([]byte(via)))
		m.add("own", strconv.AppendBool(nil, bytes.Equal(canon.Hostname([]byte(via)), host)))
	}
	m.add("depth", strconv.AppendInt(nil, min(max(rec.Int(urlbatch.Depth), 0), 10), 10))
	parent := int64(10)
	if rec.Has(urlbatch.Parent) {
		parent = int64(math.Round(10 * rec.Share(urlbatch.Parent)))
	}
	m.add("parent", strconv.AppendInt(nil, parent, 10))
}

// folder is a URL up to its last slash.
func folder(page []byte) []byte {
	path, _, _ := bytes.Cut(page, []byte{'?'})
	return path[:bytes.LastIndexByte(path, '/')+1]
}

// add adds the feature of a kind that a value makes.
func (m *Model) add(kind string, value []byte) {
	m.text = append(append(append(m.text[:0], kind...), 0), value...)
	m.found = append(m.found, uint32(m.hash.Sum(m.text)%(Blocks*blockSize)))
}

// words adds the words of a text, which may be percent-encoded.
func (m *Model) words(kind string, text []byte) {
	if bytes.IndexByte(text, '%') >= 0 {
		if plain, err := url.PathUnescape(string(text)); err == nil {
			text = []byte(plain)
		}
	}
	for range maxWords {
		from := bytes.IndexFunc(text, isOfWord)
		if from < 0 {
			return
		}
		text = text[from:]
		end := bytes.IndexFunc(text, func(r rune) bool { return !isOfWord(r) })
		if end < 0 {
			end = len(text)
		}
		m.add(kind, word(text[:end]))
		text = text[end:]
	}
}
