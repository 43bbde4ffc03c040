package warc

import (
	"fmt"
	"time"
)

// RevisitProfile is the WARC-Profile of the revisit records that Revisit makes.
const RevisitProfile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

// Original is the answer in the archive that has the payload.
type Original struct {
	URL  string
	Date time.Time
}

// Revisit makes the members of a revisit record that takes the place of a, whose payload is the
// original's. The head of the answer, its attributes, its ID and its request stay; the body goes.
func (e *Encoder) Revisit(a *Answer, of Original) (Packed, error) {
	if _, err := a.HTTP(); err != nil {
		return Packed{}, fmt.Errorf("encode revisit: %w", err)
	}
	head := a.response.plain[a.response.block:][:a.headEnd]
	f := Fields{{"WARC-Type", "revisit"}}
	for _, name := range []string{"WARC-Record-ID", "WARC-Date", "WARC-Target-URI", "WARC-IP-Address", "Content-Type"} {
		f = f.copyFrom(a.response.fields, name)
	}
	f = append(f,
		Field{"WARC-Profile", RevisitProfile},
		Field{"WARC-Refers-To-Target-URI", of.URL},
		Field{"WARC-Refers-To-Date", of.Date.UTC().Format(dateFormat)},
		Field{"WARC-Truncated", "length"}, // the standard asks for it: the block is the head alone
	)
	f = f.copyFrom(a.response.fields, "WARC-Payload-Digest")
	f = append(f, Field{"WARC-Block-Digest", digest(head)})
	f = f.copyFrom(a.response.fields, attributesField)
	response, err := e.member(f, head, len(head))
	if err != nil {
		return Packed{}, err
	}
	return Packed{Response: response, Request: a.Packed().Request}, nil
}

// copyFrom appends the field of that name, if it is there and one line.
func (f Fields) copyFrom(from Fields, name string) Fields {
	one := Field{name, from.Get(name)}
	if one.Value == "" || !one.valid() {
		return f
	}
	return append(f, one)
}
