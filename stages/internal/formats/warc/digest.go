package warc

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"multitext/stages/internal/formats/coding"
)

const digestPrefix = "sha1:"

// digest returns the labelled digest of b.
func digest(b []byte) string {
	sum := sha1.Sum(b)
	return labelled(sum[:])
}

func labelled(sum []byte) string {
	return string(base32.StdEncoding.AppendEncode(append(make([]byte, 0, 40), digestPrefix...), sum))
}

// payloadDigest returns the digest of a body without its transfer encoding, of which it makes no
// copy. whole is false when the body breaks off.
func (h *HTTP) payloadDigest(body []byte) (sum string, whole bool) {
	if !h.isChunked() {
		return digest(body), true
	}
	d := sha1.New()
	whole = coding.EachChunk(body, func(piece []byte) { d.Write(piece) })
	return labelled(d.Sum(nil)), whole
}

// parseDigest returns the 20 bytes of a digest as this package writes it, "sha1:" and base 32.
func parseDigest(s string) (sum [sha1.Size]byte, err error) {
	if len(s) != len(digestPrefix)+32 || !strings.EqualFold(s[:len(digestPrefix)], digestPrefix) {
		return sum, fmt.Errorf("digest %.60q: want sha1: and 32 characters of base 32", s)
	}
	n, err := base32.StdEncoding.Decode(sum[:], []byte(strings.ToUpper(s[len(digestPrefix):])))
	if err == nil && n < len(sum) {
		err = base32.CorruptInputError(n) // line ends are passed over
	}
	if err != nil {
		return sum, fmt.Errorf("digest %q: %w", s, err)
	}
	return sum, nil
}

// ofNothing is the digest of an empty body.
var ofNothing = sha1.Sum(nil)

// WholeDigest returns the payload digest of an answer with the complete content of a page, without
// decompressing it. Such an answer has a status 2xx except 206, and is not cut, not empty and not a
// revisit. For all other answers, and for digests in another format, ok is false. An error is a
// DamageError.
func (a *Answer) WholeDigest() (sum [sha1.Size]byte, ok bool, err error) {
	if a.Revisit() || a.Truncated() != "" {
		return sum, false, nil
	}
	head, err := a.response.head()
	if err != nil {
		return sum, false, a.reader.damage(a.response, err)
	}
	status, _, err := cutStatus(head)
	if err != nil || status/100 != 2 || status == 206 {
		return sum, false, nil
	}
	sum, err = parseDigest(a.PayloadDigest())
	return sum, err == nil && sum != ofNothing, nil
}

// recordID returns the ID of a record, a version 8 UUID (RFC 9562, section 5.8) made of a SHA-1.
// Two records have one ID only if they are the same: type, URL, moment and block.
func recordID(recordType, url string, date time.Time, blockDigest string) string {
	name := make([]byte, 0, 256)
	for _, part := range [...]string{idNamespace, recordType, url} {
		name = append(append(name, part...), '\n')
	}
	name = append(date.UTC().AppendFormat(name, time.RFC3339Nano), '\n')
	sum := sha1.Sum(append(name, blockDigest...))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	id := append(make([]byte, 0, 48), "<urn:uuid:"...)
	for i, part := range [...][]byte{u[:4], u[4:6], u[6:8], u[8:10], u[10:]} {
		if i > 0 {
			id = append(id, '-')
		}
		id = hex.AppendEncode(id, part)
	}
	return string(append(id, '>'))
}

// idNamespace distinguishes these IDs from those of other programs.
const idNamespace = "multitext warc record"
