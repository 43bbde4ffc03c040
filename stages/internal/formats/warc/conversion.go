package warc

import (
	"fmt"

	"multitext/stages/internal/web/httphead"
)

// Conversion returns the member of a conversion record with the text of an answer, as in the WET
// files of Common Crawl. language is a code of ISO 639-3, or "" if it is not known. The fields are
//
//	WARC-Type                            conversion
//	WARC-Record-ID                       a UUID, as that of a response
//	WARC-Date                            of the answer
//	WARC-Target-URI                      of the answer
//	WARC-Refers-To                       the record of the answer
//	WARC-Identified-Content-Language     the language
//	Content-Type                         text/plain
//	WARC-Block-Digest                    SHA-1 of the text
//	Content-Length                       bytes of the text
func (e *Encoder) Conversion(a *Answer, text []byte, language string) (Packed, error) {
	date, err := a.Date()
	if err != nil {
		return Packed{}, fmt.Errorf("encode text of %.200q: %w", a.URL(), err)
	}
	url := a.Record().URL() // without bytes that a header must not have
	blockDigest := digest(text)
	f := httphead.Fields(nil).Add("WARC-Type", "conversion").
		Add("WARC-Record-ID", recordID("conversion", url, date, blockDigest)).
		Add("WARC-Date", date.UTC().Format(dateFormat)).
		Add("WARC-Target-URI", url)
	if of := (httphead.Field{Name: "WARC-Refers-To", Value: a.Field("WARC-Record-ID")}); valid(of) {
		f = f.Add(of.Name, of.Value)
	}
	f = f.Add("WARC-Identified-Content-Language", language).
		Add("Content-Type", "text/plain").
		Add("WARC-Block-Digest", blockDigest)
	return Packed{Response: e.member(f, text, 0)}, nil
}
