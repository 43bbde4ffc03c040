package warc

import (
	"slices"
	"strings"
)

// WithAttribute makes the members of a anew with the attribute of that key set. All else stays: the
// block, its digests, the record's ID and its request.
func (e *Encoder) WithAttribute(a *Answer, key, value string) (Packed, error) {
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
	record.Set(key, value)
	response, err := e.member(fields.addAttributes(record), block, head)
	if err != nil {
		return Packed{}, err
	}
	return Packed{Response: response, Request: a.Packed().Request}, nil
}
