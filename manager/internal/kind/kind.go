// Package kind tells what a batch is: by its name, and by its first bytes.
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

// Of takes an extension apart: warc.gz is of the kind warc, compressed by gz.
// Plain text, which has many names, is of the kind "".
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

// compressedBy tells by the first four bytes how a file is compressed: zst, gz, or
// "" for not at all.
func compressedBy(magic []byte) string {
	switch {
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		return "zst"
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		return "gz"
	}
	return ""
}

// InWords says what a file's first bytes are, of a compression.
func InWords(compression string) string {
	return map[string]string{"zst": "those of zstd", "gz": "those of gzip", "": "of no compression"}[compression]
}

// OfFile tells by its first bytes how a file is compressed.
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

// maxWindow bounds the memory that a zstd frame may ask for.
const maxWindow = 128 << 20

// Reader reads through the compression that the first bytes of src tell of. done
// frees what that takes.
func Reader(src io.Reader) (in io.Reader, done func(), err error) {
	raw := bufio.NewReaderSize(src, 64<<10)
	magic, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch compressedBy(magic) {
	case "zst":
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
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
