package warc

import (
	"slices"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/httphead"
)

// WithAttribute returns new members of a with the attribute key set. Blocks, digests and record IDs
// do not change. If there is a request, the attributes go to its record, and the response is
// neither decompressed nor compressed.
func (e *Encoder) WithAttribute(a *Answer, key, value string) (Packed, error) {
	return e.WithRecord(a, func(r *urlbatch.Record) { r.Set(key, value) })
}

// WithRecord is like WithAttribute for any change to the attributes of the record. The URL cannot
// be changed.
func (e *Encoder) WithRecord(a *Answer, change func(*urlbatch.Record)) (Packed, error) {
	record := a.Record()
	change(record)
	if a.request != nil && len(record.Line()) > len(record.URLBytes()) {
		block, err := a.RequestBlock()
		if err != nil {
			return Packed{}, err
		}
		request := e.member(marked(a.request.fields, record), block, len(block))
		return Packed{Response: a.Packed().Response, Request: request}, nil
	}
	return e.withoutRequest(a, record)
}

// withoutRequest writes the attributes of record to the response, and leaves none with a request:
// the way where there is no request, or no attribute, which a record cannot say.
func (e *Encoder) withoutRequest(a *Answer, record *urlbatch.Record) (p Packed, err error) {
	block, err := a.Block()
	if err != nil {
		return p, err
	}
	head := len(block)
	if _, err := a.HTTP(); err == nil {
		head = a.headEnd
	}
	p.Response = e.member(marked(a.response.fields, record), block, head)
	if a.request == nil {
		return p, nil
	}
	if block, err = a.RequestBlock(); err != nil {
		return Packed{}, err
	}
	p.Request = e.member(marked(a.request.fields, urlbatch.New(record.URL())), block, len(block))
	return p, nil
}

// marked is the header of a record with the attributes of r in place of those it has, to be written
// anew.
func marked(f httphead.Fields, r *urlbatch.Record) httphead.Fields {
	kept := slices.DeleteFunc(slices.Clone(f), func(f httphead.Field) bool {
		return strings.EqualFold(f.Name, attributesField) || !valid(f) || strings.EqualFold(f.Name, "Content-Length")
	})
	return addAttributes(kept, r)
}
