package canon

import (
	"strings"
	"sync"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// A Base is a parsed base URL, for the many links of one page. It is safe for concurrent use. A nil
// Base is that of no page, which only absolute URLs can do without.
type Base struct {
	url    string                      // canonical
	host   int                         // where it begins in url
	path   int                         // likewise, with its "/"
	name   int                         // behind the last "/" of the path
	query  int                         // where the path ends
	parsed func() (*whatwg.Url, error) // for references that are not plain
}

// NewBase parses an absolute http or https URL to resolve references against.
func NewBase(base string) (*Base, error) {
	c, err := Parse(base)
	if err != nil {
		return nil, err
	}
	path := Path(c)
	folder, _, _ := strings.Cut(path, "?")
	b := &Base{url: c, host: len(Scheme(c)) + len("://"), path: len(c) - len(path)}
	b.query = b.path + len(folder)
	b.name = b.path + strings.LastIndexByte(folder, '/') + 1
	b.parsed = sync.OnceValues(func() (*whatwg.Url, error) { return parse(c) })
	return b, nil
}

// Resolve returns the canonical form of ref as it is meant relative to b.
func (b *Base) Resolve(ref string) (string, error) {
	var room [256]byte // for most
	url, err := b.Append(room[:0], []byte(ref))
	return string(url), err
}

// Append appends what Resolve gives for ref to dst. Where there is an error, it gives dst as it
// was.
func (b *Base) Append(dst, ref []byte) ([]byte, error) {
	if url, ok := b.plain(dst, ref); ok {
		return url, nil
	}
	if foreignScheme(trim(ref)) {
		return dst, ErrScheme // before it is copied: data: URLs are long and common
	}
	url, err := b.resolve(string(ref))
	return append(dst, url...), err
}
