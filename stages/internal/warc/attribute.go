package warc

import (
	"slices"
	"strings"

	"multitext/stages/internal/urlbatch"
)

// WithAttribute makes the members of a anew with the attribute of that key set. All else stays: the
// block, its digests, the record's ID and its request.
func (e *Encoder) WithAttribute(a *Answer, key, value string) (Packed, error) {
	return e.WithRecord(a, func(r *urlbatch.Record) { r.Set(key, value) })
}

// WithRecord is WithAttribute for any change to the attributes of the record; its URL cannot be changed.
func (e *Encoder) WithRecord(a *Answer, change func(*urlbatch.Record)) (Packed, error) {
	block, err := a.Block()
	if err != nil {
		return Packed{}, err
	}
	head := len(block)
	if _, err := a.HTTP(); err == nil {
		head = a.headEnd
	}
	fields := slices.DeleteFunc(slices.Clone(a.response.fields), func(f Field) bool {
		return strings.EqualFold(f.Name, attributesField) || !f.valid() || strings.EqualFold(f.Name, "Content-Length")
	})
	record := a.Record()
	change(record)
	response, err := e.member(fields.addAttributes(record), block, head)
	if err != nil {
		return Packed{}, err
	}
	return Packed{Response: response, Request: a.Packed().Request}, nil
}
