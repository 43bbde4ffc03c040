package warc

import (
	"fmt"
	"time"
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
func (f Fields) addOriginal(profile string, of Original) Fields {
	if f = append(f, Field{"WARC-Profile", profile}); of.URL != "" {
		f = append(f, Field{"WARC-Refers-To-Target-URI", of.URL})
	}
	if of.Date.IsZero() {
		return f
	}
	return append(f, Field{"WARC-Refers-To-Date", of.Date.UTC().Format(dateFormat)})
}

// Revisit makes the members of a revisit record that takes the place of a, whose payload is the
// original's. The head of the answer, its attributes, its ID and its request stay; the body goes.
func (e *Encoder) Revisit(a *Answer, of Original) (Packed, error) {
	if _, err := a.HTTP(); err != nil {
		return Packed{}, fmt.Errorf("encode revisit: %w", err)
	}
	head := a.response.plain[a.response.block:][:a.headEnd]
	f := Fields{{"WARC-Type", "revisit"}}
	for _, name := range []string{"WARC-Record-ID", "WARC-Date", "WARC-Target-URI", "WARC-IP-Address", protocolField, "Content-Type"} {
		f = f.copyFrom(a.response.fields, name)
	}
	f = f.addOriginal(RevisitProfile, of)
	f = append(f, Field{"WARC-Truncated", "length"}) // the standard asks for it: the block is the head alone
	f = f.copyFrom(a.response.fields, "WARC-Payload-Digest")
	f = append(f, Field{"WARC-Block-Digest", digest(head)})
	f = f.copyFrom(a.response.fields, attributesField)
	return Packed{Response: e.member(f, head, len(head)), Request: a.Packed().Request}, nil
}

// copyFrom appends the fields of that name, as far as they are one line.
func (f Fields) copyFrom(from Fields, name string) Fields {
	for _, value := range from.All(name) {
		if one := (Field{name, value}); value != "" && one.valid() {
			f = append(f, one)
		}
	}
	return f
}
