// Package kind tells what a batch is: by its name, and by its first bytes.
package kind

import (
	"bytes"
	"strings"
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

// Compression tells by the first four bytes how a file is compressed: zst, gz, or
// "" for not at all.
func Compression(magic []byte) string {
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
