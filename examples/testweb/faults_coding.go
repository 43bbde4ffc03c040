package main

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// codingFaults lie about a content coding, or tell the truth about a bomb: 10 GiB of zeros,
// each coded once, when first asked for.
func codingFaults() []fault {
	return []fault{
		{name: "gzip-bomb", answer: coded("gzip", gzipBomb)},
		{name: "gzip-nested", answer: coded("gzip, gzip", func() string { return gzipped(gzipBomb()) })},
		{name: "deflate-bomb", answer: coded("deflate", deflateBomb)},
		{name: "br-bomb", answer: coded("br", brotliBomb)},
		{name: "zstd-bomb", answer: coded("zstd", func() string { return zstdFrame(11, bombSize/zstdBlock) })},
		{name: "zstd-window", answer: coded("zstd", func() string { return zstdFrame(31, 1) })},
		{name: "gzip-lie", answer: coded("gzip", func() string { return "<p>not coded" })},
		{name: "gzip-cut", answer: coded("gzip", func() string { return gzipped(fill)[:60] })},
		{name: "coding-unknown", answer: coded("x-rot13", func() string { return "<gvgyr>ebg13</gvgyr>" })},
		{name: "coding-many", answer: coded(strings.Repeat("gzip, ", 1000)+"gzip",
			func() string { return gzipped("body") })},
	}
}

// bombSize is what a bomb blows up to, in bytes.
const bombSize = 10 << 30

func coded(coding string, body func() string) func(*wire) {
	body = sync.OnceValue(body)
	return func(w *wire) {
		w.answer("200 OK", body(), "Content-Type: "+typeHTML, "Content-Encoding: "+coding)
	}
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text) // a buffer takes all
	_ = z.Close()
	return b.String()
}

// gzipBomb is ten thousand members, which any gzip reader takes for one text.
func gzipBomb() string {
	const member = 1 << 20
	return strings.Repeat(gzipped(strings.Repeat("\x00", member)), bombSize/member)
}

// deflateBomb is one flushed block again and again, in the frame of zlib (RFC 1950), which
// is what HTTP calls deflate.
func deflateBomb() string {
	const block = 1 << 20
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err) // only a wrong level is an error
	}
	_, _ = z.Write(make([]byte, block))
	_ = z.Flush()
	const adler = (bombSize%65521)<<16 | 1 // of zeros
	end := binary.BigEndian.AppendUint32([]byte("\x01\x00\x00\xff\xff"), adler)
	return "\x78\xda" + strings.Repeat(b.String(), bombSize/block) + string(end)
}

// brotliBomb is a second flushed block again and again: behind it the state of a decoder is
// what it was before.
func brotliBomb() string {
	const block = 16 << 20
	var b bytes.Buffer
	z := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: 5, LGWin: 16})
	zeros := make([]byte, block)
	next := func() string {
		b.Reset()
		_, _ = z.Write(zeros)
		_ = z.Flush()
		return b.String()
	}
	first, second := next(), next()
	b.Reset()
	_ = z.Close()
	return first + strings.Repeat(second, bombSize/block-1) + b.String()
}

const zstdBlock = 128 << 10

// zstdFrame is a frame of blocks, each 128 KiB of zeros in four bytes, that asks for a
// window of 1 KiB << exponent (RFC 8878).
func zstdFrame(exponent byte, blocks int) string {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3}
	for i := range blocks {
		last := uint32(0)
		if i == blocks-1 {
			last = 1
		}
		const rle = 1
		h := binary.LittleEndian.AppendUint32(nil, last|rle<<1|zstdBlock<<3)
		frame = append(frame, h[0], h[1], h[2], 0)
	}
	return string(frame)
}
