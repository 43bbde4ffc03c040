package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"
)

// writer writes answers as WARC records, each a gzip member. Every worker has its own, of one file.
type writer struct {
	file *os.File
	out  bytes.Buffer
	gzip *gzip.Writer
	head []byte
}

func newWriter(file *os.File) *writer {
	gz, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for levels that are none only
	return &writer{file: file, gzip: gz}
}

// write writes the answer to u, and the request. Files append whole what one call writes.
func (w *writer) write(u target, request []byte, a *answer) error {
	sum := sha1.Sum(a.body)
	date := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	w.out.Reset()
	digest := "WARC-Payload-Digest: sha1:" + base32.StdEncoding.EncodeToString(sum[:]) + "\r\n"
	if err := w.member("response", u, date, digest, a.raw); err != nil {
		return err
	}
	if err := w.member("request", u, date, "", request); err != nil {
		return err
	}
	_, err := w.file.Write(w.out.Bytes())
	return err
}

func (w *writer) member(kind string, u target, date, more string, block []byte) error {
	w.head = fmt.Appendf(w.head[:0], "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: http://%s%s\r\nWARC-Date: %s\r\n"+
		"WARC-Record-ID: <urn:uuid:%08x-%04x-4%03x-a%03x-%012x>\r\nContent-Type: application/http;msgtype=%s\r\n%s"+
		"Content-Length: %d\r\n\r\n",
		kind, u.host, u.path, date, rand.Uint32(), rand.IntN(1<<16), rand.IntN(1<<12), rand.IntN(1<<12),
		rand.Int64N(1<<48), kind, more, len(block))
	w.gzip.Reset(&w.out)
	for _, part := range [][]byte{w.head, block, []byte("\r\n\r\n")} {
		if _, err := w.gzip.Write(part); err != nil {
			return err
		}
	}
	return w.gzip.Close()
}
