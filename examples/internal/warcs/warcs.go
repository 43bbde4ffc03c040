// Package warcs reads WARC files by the standard library alone, so that what the stages write is
// judged by a reader that shares nothing with theirs. It is strict: each record is a gzip member of
// its own, and is whole.
package warcs

import (
	"bufio"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"strconv"
	"strings"
)

// A Record is one of a WARC file.
type Record struct {
	Header textproto.MIMEHeader
	Block  []byte
}

// ReadFile calls take with each record of a file. Its error, or one of reading, ends that.
func ReadFile(name string, take func(*Record) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	member, err := gzip.NewReader(in)
	for n := 1; err == nil; n++ {
		member.Multistream(false)
		var r *Record
		if r, err = read(bufio.NewReader(member)); err == nil {
			err = take(r)
		}
		if err != nil {
			return fmt.Errorf("%s: record %d: %w", name, n, err)
		}
		err = member.Reset(in)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

func read(in *bufio.Reader) (*Record, error) {
	text := textproto.NewReader(in)
	version, err := text.ReadLine()
	if err != nil || !strings.HasPrefix(version, "WARC/1.") {
		return nil, fmt.Errorf("it begins with %q: %w", version, err)
	}
	r := &Record{}
	if r.Header, err = text.ReadMIMEHeader(); err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(r.Header.Get("Content-Length"))
	if err != nil || size < 0 {
		return nil, fmt.Errorf("Content-Length: %w", err)
	}
	all, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if len(all) != size+4 || string(all[size:]) != "\r\n\r\n" {
		return nil, fmt.Errorf("%d bytes follow the header: want %d and two line ends", len(all), size)
	}
	r.Block = all[:size]
	return r, nil
}

// Digest is that of a block or payload, as records have it.
func Digest(b []byte) string {
	sum := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
