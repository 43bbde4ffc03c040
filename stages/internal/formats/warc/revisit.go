package warc

import (
	"fmt"
	"time"

	"multitext/stages/internal/web/httphead"
)

// Values of WARC-Profile.
const (
	// RevisitProfile is that of the revisit records that Revisit makes.
	RevisitProfile = profiles + "identical-payload-digest"

	profiles           = "http://netpreserve.org/warc/1.1/revisit/"
	notModifiedProfile = profiles + notModified
	notModified        = "server-not-modified"
)

// Original is the answer in the archive that has the payload.
type Original struct {
	URL  string    // empty where unknown: the digest tells which it is
	Date time.Time // zero where unknown
}

// addOriginal says why a record is a revisit, and of what.
func addOriginal(f httphead.Fields, profile string, of Original) httphead.Fields {
	date := ""
	if !of.Date.IsZero() {
		date = of.Date.UTC().Format(dateFormat)
	}
	return f.Add("WARC-Profile", profile).Add("WARC-Refers-To-Target-URI", of.URL).Add("WARC-Refers-To-Date", date)
}

// Revisit returns the members of a revisit record that replaces a. The payload of a must be that of
// the original. Head, attributes, ID and request of the answer are kept; the body is removed.
func (e *Encoder) Revisit(a *Answer, of Original) (Packed, error) {
	if _, err := a.HTTP(); err != nil {
		return Packed{}, fmt.Errorf("encode revisit: %w", err)
	}
	head := a.response.Plain[a.response.block:][:a.headEnd]
	f := httphead.Fields(nil).Add("WARC-Type", "revisit")
	for _, name := range []string{
		"WARC-Record-ID", "WARC-Date", "WARC-Target-URI", "WARC-IP-Address", protocolField, "Content-Type",
	} {
		f = copyFrom(f, a.response.fields, name)
	}
	f = addOriginal(f, RevisitProfile, of)
	f = f.Add("WARC-Truncated", "length") // the standard asks for it: the block is the head alone
	f = copyFrom(f, a.response.fields, "WARC-Payload-Digest")
	f = f.Add("WARC-Block-Digest", digest(head))
	f = copyFrom(f, a.response.fields, attributesField)
	return Packed{Response: e.member(f, head, len(head)), Request: a.Packed().Request}, nil
}

// copyFrom appends the fields of that name, as far as they are one line.
func copyFrom(f, from httphead.Fields, name string) httphead.Fields {
	for _, value := range from.Values(name) {
		if one := (httphead.Field{Name: name, Value: value}); valid(one) {
			f = f.Add(name, value)
		}
	}
	return f
}
