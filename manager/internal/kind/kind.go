// Package kind determines the kind of a batch from its name, and its compression from its first
// bytes.
package kind

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Of splits an extension: warc.gz is the kind warc, compressed as gz. Plain text, which has many
// extensions, has the kind "".
func Of(ext string) (kind, compression string) {
	for _, c := range []string{"zst", "gz"} {
		if ext == c || strings.HasSuffix(ext, "."+c) {
			ext, compression = strings.TrimSuffix(strings.TrimSuffix(ext, c), "."), c
			break
		}
	}
	kind = ext[strings.LastIndexByte(ext, '.')+1:]
	if kind == "txt" {
		kind = ""
	}
	return kind, compression
}

// compressedBy returns the compression of a file from its first four bytes: zst, gz, or "" for
// none.
func compressedBy(magic []byte) string {
	switch {
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		return "zst"
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		return "gz"
	}
	return ""
}

// InWords returns a phrase for the first bytes of a file with a given compression.
func InWords(compression string) string {
	return map[string]string{"zst": "those of zstd", "gz": "those of gzip", "": "of no compression"}[compression]
}

// OfFile returns the compression of a file, according to its first bytes.
func OfFile(path string) (compression string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	magic := make([]byte, 4)
	n, err := io.ReadFull(f, magic)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return compressedBy(magic[:n]), nil
}

// maxWindow is the maximum memory that a zstd frame may require.
const maxWindow = 128 << 20

// Reader returns a reader that decompresses src according to its first bytes. done frees its
// resources.
func Reader(src io.Reader) (in io.Reader, done func(), err error) {
	return ReaderWithin(src, maxWindow)
}

// ReaderWithin is a Reader that refuses a zstd frame that requires more than window bytes of
// memory.
func ReaderWithin(src io.Reader, window uint64) (in io.Reader, done func(), err error) {
	raw := bufio.NewReaderSize(src, 64<<10)
	magic, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch compressedBy(magic) {
	case "zst":
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window),
			zstd.WithDecoderLowmem(window < maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	case "gz":
		z, err := gzip.NewReader(raw)
		return z, func() {}, err
	}
	return raw, func() {}, nil
}
