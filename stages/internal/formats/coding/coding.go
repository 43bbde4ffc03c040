// Package coding undoes the content codings of HTTP bodies, gzip, deflate, br (RFC 7932) and zstd
// (RFC 8878), and the chunks that they may have come in.
//
// A body of a few kilobytes may decompress to as many gigabytes, and with two codings to far more.
// So a body is decompressed only up to a limit, and the data between two codings only up to
// [maxBetween]. A header with more than [maxLayers] codings is rejected: ordinary servers apply
// one, and with a file that decompresses to itself any number of codings costs the sender nothing.
// With these limits no limit on the ratio is needed, because data beyond the limits is never
// decompressed.
//
// A decoder keeps a window of its output in memory, and the body sets the size of the window. The
// maximum is [maxWindow] for zstd, as in RFC 9659 for the web, and 16 MiB for br; the "large
// window" of later br encoders is not supported. A body with a larger window is cut before its
// first byte.
package coding

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/formats/deflate"
)

// Accept is the value of Accept-Encoding for the codings of this package, in the order that
// browsers use. It has no weights, so the server chooses, which knows what it has stored.
const Accept = "gzip, deflate, br, zstd"

// ErrUnknown is wrapped by errors for a body with an unsupported coding, or with too many codings.
var ErrUnknown = errors.New("content coding not known")

// maxLayers is the maximum number of codings of one body that are undone.
const maxLayers = 2

// maxBetween is the maximum number of bytes between two codings. Without it, an inner coding
// without output, such as an endless sequence of empty members, could run for minutes.
const maxBetween = 64 << 20

// maxWindow is the maximum window of a zstd frame, in bytes.
const maxWindow = 8 << 20

// Names returns the codings in the values of Content-Encoding fields, in lower case and in the
// order in which they were applied. Names ignores identity, and two other words that servers use
// wrongly.
func Names(values []string) []string {
	var names []string
	for _, v := range values {
		for name := range strings.SplitSeq(v, ",") {
			switch name = strings.ToLower(strings.TrimSpace(name)); name {
			case "", "identity", "none", "utf-8":
			default:
				names = append(names, name)
			}
		}
	}
	return names
}

// An Undoer undoes the codings of bodies, one body at a time. It keeps its decoders and their
// windows, because making a decoder takes as long as decoding a page. Its zero value is ready for
// use. It is not safe for concurrent use.
type Undoer struct {
	layers   [maxLayers]layer
	inflater deflate.Inflater
}

// A layer has the decoders for one coding of a body. Each coding has a separate layer, because one
// reads from the other.
type layer struct {
	gzip gzip.Reader
	br   *brotli.Reader // nil until it is wanted
	zstd *zstd.Decoder  // as well
}

// Undo undoes the codings names of body and returns at most limit bytes. Without names it returns
// the beginning of body. whole is false if there is more, or if body breaks off; the bytes before
// that are returned. An error wraps ErrUnknown.
func (u *Undoer) Undo(body []byte, names []string, limit int64) (content []byte, whole bool, err error) {
	switch {
	case len(names) == 0:
		return body[:min(int64(len(body)), limit)], int64(len(body)) <= limit, nil
	case len(names) == 1 && isGzip(names[0]):
		if content, ok := u.gunzip(body, limit); ok {
			return content, true, nil
		}
	}
	return u.undo(bytes.NewReader(body), names, limit)
}

func isGzip(name string) bool { return name == "gzip" || name == "x-gzip" }

// gunzip decodes gzip if it is one complete member within limit, like nearly all gzip on the web.
// It takes half the time of a reader. Otherwise ok is false, and a reader must start from the
// beginning.
func (u *Undoer) gunzip(body []byte, limit int64) (content []byte, ok bool) {
	var m deflate.Member // whose memory is the content's
	if m.Open(body) != nil || u.inflater.All(&m, int(limit)) != nil || m.Size() < len(body) {
		return nil, false
	}
	return m.Plain, true
}

// undo decodes with a chain of readers.
func (u *Undoer) undo(body io.Reader, names []string, limit int64) (content []byte, whole bool, err error) {
	if len(names) > maxLayers {
		return nil, false, fmt.Errorf("%w: %d layers", ErrUnknown, len(names))
	}
	r := body
	for i, name := range slices.Backward(names) {
		if r, err = u.layers[i].reader(name, r); errors.Is(err, ErrUnknown) {
			return nil, false, err
		} else if err != nil {
			return nil, false, nil
		}
		if i > 0 {
			r = io.LimitReader(r, maxBetween)
		}
	}
	content, err = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(content)) > limit {
		return content[:limit], false, nil
	}
	return content, err == nil, nil
}

// reader returns a reader that undoes the coding with this name.
func (l *layer) reader(name string, r io.Reader) (io.Reader, error) {
	switch {
	case isGzip(name):
		return &l.gzip, l.gzip.Reset(r)
	case name == "deflate":
		return deflateReader(r)
	case name == "br":
		if l.br == nil {
			l.br = new(brotli.Reader)
		}
		return l.br, l.br.Reset(r)
	case name == "zstd":
		return l.zstdReader(r)
	}
	return nil, fmt.Errorf("%w: %.40q", ErrUnknown, name)
}

func (l *layer) zstdReader(r io.Reader) (_ io.Reader, err error) {
	if l.zstd == nil {
		// Of one goroutine, the reader's own: there is nothing to close.
		l.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
	}
	return l.zstd, l.zstd.Reset(r)
}

// deflateReader reads zlib's format, as in RFC 9110, or bare deflate, which some servers send.
func deflateReader(r io.Reader) (io.Reader, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, fmt.Errorf("read deflate header: %w", err)
	}
	r = io.MultiReader(bytes.NewReader(head[:]), r)
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}
