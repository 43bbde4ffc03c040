package warc

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/httphead"
)

// Format is the version of WARC that is written. Version 1.0 is read as well.
const Format = "WARC/1.1"

// MaxRecord is the default maximum size of a record's block, in bytes.
const MaxRecord = 64 << 20

// dateFormat is WARC-Date: RFC 3339, always with milliseconds, so that dates sort as text.
const dateFormat = "2006-01-02T15:04:05.000Z"

// An Exchange is a request and its answer, before they are encoded as records.
type Exchange struct {
	Record    *urlbatch.Record // the URL; its attributes ride in the response record
	Date      time.Time        // when the request was sent
	Addr      netip.Addr       // the server's; the zero Addr where unknown
	Request   []byte           // the bytes sent
	Response  []byte           // the bytes received: status line, header, body as on the wire
	Truncated string           // why the answer is not whole: length, time, disconnect, unspecified; "" if it is
	Protocols []string         // values of WARC-Protocol: what Response does not tell, as http/1.1 and tls/1.3
	// Unchanged is the capture that a conditional request was about, when the answer is a 304: the
	// record is a revisit then. Its Date may be zero.
	Unchanged *Original
}

// Encode returns the members of an exchange. The result owns its bytes.
func (e *Encoder) Encode(x *Exchange) (Packed, error) {
	if err := x.check(); err != nil {
		return Packed{}, fmt.Errorf("encode answer of %.200q: %w", x.Record.URL(), err)
	}
	h, body := splitHTTP(x.Response)
	blockDigest := digest(x.Response)
	recordType := "response"
	if x.Unchanged != nil {
		recordType = "revisit"
	}
	id := recordID(recordType, x.Record.URL(), x.Date, blockDigest)
	f := x.addTo(e.fields[:0], recordType, id).Add("Content-Type", "application/http;msgtype=response")
	if x.Unchanged != nil {
		f = addOriginal(f, notModifiedProfile, *x.Unchanged)
	} else if h != nil && x.Truncated == "" {
		if sum, whole := h.payloadDigest(body); whole {
			f = f.Add("WARC-Payload-Digest", sum)
		}
	}
	f = f.Add("WARC-Block-Digest", blockDigest).Add("WARC-Truncated", x.Truncated)
	f = addAttributes(f, x.Record)
	e.fields = f
	response := e.member(f, x.Response, len(x.Response)-len(body))
	return Packed{Response: response, Request: e.request(x, id)}, nil
}

// request makes the member of the request to the response id.
func (e *Encoder) request(x *Exchange, id string) []byte {
	blockDigest := digest(x.Request)
	f := x.addTo(e.fields[:0], "request", recordID("request", x.Record.URL(), x.Date, blockDigest)).
		Add("Content-Type", "application/http;msgtype=request").
		Add("WARC-Concurrent-To", id).
		Add("WARC-Block-Digest", blockDigest)
	return e.member(f, x.Request, len(x.Request))
}

// addTo appends the fields that the records of an exchange have in common.
func (x *Exchange) addTo(f httphead.Fields, recordType, id string) httphead.Fields {
	addr := ""
	if x.Addr.IsValid() {
		addr = x.Addr.Unmap().WithZone("").String()
	}
	f = f.Add("WARC-Type", recordType).
		Add("WARC-Record-ID", id).
		Add("WARC-Date", x.Date.UTC().Format(dateFormat)).
		Add("WARC-Target-URI", x.Record.URL()).
		Add("WARC-IP-Address", addr)
	for _, p := range x.Protocols {
		f = f.Add(protocolField, p)
	}
	return f
}

// protocolField is of the community's fields (iipc/warc-specifications, issue 42), not of the
// standard.
const protocolField = "WARC-Protocol"

// Info returns the member of a warcinfo record, which describes the origin of the records after it.
// Usual names are software, operator, format, robots, http-header-user-agent.
func (e *Encoder) Info(date time.Time, info httphead.Fields) ([]byte, error) {
	var block bytes.Buffer
	for _, f := range info {
		if !valid(f) {
			return nil, fmt.Errorf("encode warcinfo: field %.80q is not one line of text", f.Name)
		}
		fmt.Fprintf(&block, "%s: %s\r\n", f.Name, f.Value)
	}
	blockDigest := digest(block.Bytes())
	f := httphead.Fields(nil).Add("WARC-Type", "warcinfo").
		Add("WARC-Record-ID", recordID("warcinfo", "", date, blockDigest)).
		Add("WARC-Date", date.UTC().Format(dateFormat)).
		Add("Content-Type", "application/warc-fields").
		Add("WARC-Block-Digest", blockDigest)
	return e.member(f, block.Bytes(), block.Len()), nil
}

func (x *Exchange) check() error {
	switch {
	case len(x.Response) == 0:
		return errors.New("no response")
	case len(x.Request) == 0:
		return errors.New("no request")
	case max(len(x.Response), len(x.Request)) > MaxRecord:
		return fmt.Errorf("more than %d bytes", MaxRecord)
	case x.Date.IsZero():
		return errors.New("no date")
	case !slices.Contains([]string{"", "length", "time", "disconnect", "unspecified"}, x.Truncated):
		return fmt.Errorf("WARC-Truncated cannot be %q", x.Truncated)
	}
	return nil
}

// attributesField holds the attributes of a URL batch's line, with blanks for its tabs.
const attributesField = "Multitext-Attributes"

func addAttributes(f httphead.Fields, r *urlbatch.Record) httphead.Fields {
	attrs := strings.TrimPrefix(string(r.Attrs()), "\t")
	return f.Add(attributesField, strings.ReplaceAll(attrs, "\t", " "))
}

func valid(f httphead.Field) bool {
	return f.Name != "" && !strings.ContainsAny(f.Name, ": \t\r\n") && !strings.ContainsAny(f.Value, "\r\n")
}

// appendHeader writes the header of a record whose block has length bytes.
func appendHeader(b []byte, f httphead.Fields, length int) []byte {
	b = append(b, Format+"\r\n"...)
	for i := range f {
		b = append(b, f[i].Name...)
		b = append(b, ": "...)
		b = append(b, f[i].Value...)
		b = append(b, "\r\n"...)
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(length), 10)
	return append(b, "\r\n\r\n"...)
}
