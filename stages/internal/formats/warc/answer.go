package warc

import (
	"fmt"
	"strings"
	"time"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/urlbatch"
)

// An Answer is a response or revisit record with its request. Its methods decompress only what they
// need.
type Answer struct {
	reader   *Reader
	response *member
	request  *member // nil if there is none
	head     HTTP    // once HTTP was called and found it
	headEnd  int     // its length in the block, 0 before
}

// Offset returns the position of the answer's record in its file.
func (a *Answer) Offset() int64 { return a.response.offset }

// Field returns a field of the WARC header, or "" if it is absent.
func (a *Answer) Field(name string) string { return a.response.fields.Get(name) }

// Revisit reports whether the payload is elsewhere in the archive.
func (a *Answer) Revisit() bool { return a.response.recordType() == "revisit" }

// NotModified reports whether the payload is elsewhere because the server said that it has not
// changed.
func (a *Answer) NotModified() bool {
	return a.Revisit() && strings.HasSuffix(a.Field("WARC-Profile"), "/"+notModified)
}

// URL returns the URL that was requested.
func (a *Answer) URL() string {
	return strings.Trim(a.Field("WARC-Target-URI"), "<>") // some writers followed a slip in WARC/1.0
}

// Date returns the moment of the request.
func (a *Answer) Date() (time.Time, error) {
	t, err := time.Parse(time.RFC3339, a.Field("WARC-Date"))
	if err != nil {
		return t, fmt.Errorf("WARC-Date: %w", err)
	}
	return t, nil
}

// Truncated returns why the answer is not complete, or "" if it is.
func (a *Answer) Truncated() string { return a.Field("WARC-Truncated") }

// PayloadDigest returns the digest of the body without transfer encoding, or "" if the writer gave
// none.
func (a *Answer) PayloadDigest() string { return a.Field("WARC-Payload-Digest") }

// Record returns the URL with the attributes in the answer's records, as a record of a URL batch.
// Invalid attributes, as in files of other programs, are left out.
func (a *Answer) Record() *urlbatch.Record {
	attrs := a.Field(attributesField)
	if a.request != nil {
		if later := a.request.fields.Get(attributesField); later != "" {
			attrs = later
		}
	}
	url := urlbatch.New(a.URL())
	if attrs == "" {
		return url
	}
	line := make([]byte, 0, len(url.Line())+1+len(attrs))
	line = append(append(append(line, url.Line()...), ' '), attrs...)
	for i, c := range line {
		if c == ' ' {
			line[i] = '\t'
		}
	}
	if r, err := urlbatch.Parse(line); err == nil {
		return r
	}
	return url
}

// HTTP returns the head of the answer without decompressing its body. An error other than a
// DamageError means that the server did not send HTTP. The head is valid until the reader's next
// call of Next.
func (a *Answer) HTTP() (*HTTP, error) {
	if a.headEnd > 0 {
		return &a.head, nil
	}
	head, err := a.response.head()
	if err != nil {
		return nil, a.reader.damage(a.response, err)
	}
	if err := a.head.parse(head); err != nil {
		return nil, err
	}
	a.headEnd = len(head)
	return &a.head, nil
}

// Size returns the number of received bytes of the answer, head and body, without decompressing
// them. In a damaged record the number may be wrong.
func (a *Answer) Size() int64 { return int64(a.response.end - a.response.block) }

// Block returns the bytes of the answer, head and body, as received. They are valid until the
// reader's next call of Next.
func (a *Answer) Block() ([]byte, error) {
	b, err := a.response.whole()
	if err != nil {
		return nil, a.reader.damage(a.response, err)
	}
	return b, nil
}

// RequestBlock returns the bytes of the request, or nil if it is not in the file.
func (a *Answer) RequestBlock() ([]byte, error) {
	if a.request == nil {
		return nil, nil
	}
	b, err := a.request.whole()
	if err != nil {
		return nil, a.reader.damage(a.request, err)
	}
	return b, nil
}

// Body returns at most limit bytes of the body, with transfer and content encoding undone. whole is
// false if there is more, or if the body breaks off. The error is coding.ErrUnknown, a DamageError,
// or says that the answer is not HTTP.
func (a *Answer) Body(limit int64) (body []byte, whole bool, err error) {
	h, err := a.HTTP()
	if err != nil {
		return nil, false, err
	}
	block, err := a.Block()
	if err != nil {
		return nil, false, err
	}
	payload, unchunked := h.dechunk(block[a.headEnd:])
	body, whole, err = a.reader.undoer.Undo(payload, coding.Names(h.Header.Values("Content-Encoding")), limit)
	return body, whole && unchunked && a.Truncated() == "", err
}

// Packed returns the compressed members, for writing them unchanged. They are valid until the
// reader's next call of Next.
func (a *Answer) Packed() Packed {
	p := Packed{Response: a.response.raw}
	if a.request != nil {
		p.Request = a.request.raw
	}
	return p
}
