package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/gzip"
)

// A page that was served is not yet one that was saved. So what a crawler has left is counted: the
// URLs of the answers in its archive, or its files.

// checkSaved counts what c has saved in dir, and returns an error if that is less than it was
// served.
func (c *crawler) checkSaved(dir string, s *served) (int, error) {
	count, what, want := savedFiles, "files", s.Kinds["page"].Distinct
	if c.archives {
		count, what, want = savedInWARC, "URLs in its archive", s.urls()-s.Kinds["robots.txt"].Distinct
	}
	n, err := count(dir)
	if err != nil {
		return 0, fmt.Errorf("look at what %s has saved: %w", c.name, err)
	}
	if n < want {
		return 0, fmt.Errorf("%s was served %d URLs and left %d %s", c.name, want, n, what)
	}
	return n, nil
}

// savedFiles is the number of regular files in dir, hidden ones left out.
func savedFiles(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasPrefix(d.Name(), ".") {
			n++
		}
		return err
	})
	return n, err
}

// savedInWARC is the number of distinct URLs with an answer in the WARC files in dir. A revisit is
// one.
func savedInWARC(dir string) (int, error) {
	urls := map[uint64]struct{}{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".warc.gz") {
			return err
		}
		if err := answersInWARC(path, urls); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		return nil
	})
	return len(urls), err
}

// answersInWARC adds the hashes of the URLs that a file has answers to.
func answersInWARC(path string, urls map[uint64]struct{}) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	members, err := gzip.NewReader(bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(members, 64<<10)
	for {
		kind, url, length, err := recordHead(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if kind == "response" || kind == "revisit" {
			urls[url] = struct{}{}
		}
		if _, err := in.Discard(length + len("\r\n\r\n")); err != nil {
			return fmt.Errorf("a record that is cut short: %w", err)
		}
	}
}

// recordHead reads the head of a WARC record: its type, the hash of its URL, and the length of its
// block. io.EOF is the end of the file.
func recordHead(in *bufio.Reader) (kind string, url uint64, length int, err error) {
	version, err := in.ReadSlice('\n')
	switch {
	case err != nil && len(version) > 0:
		return "", 0, 0, io.ErrUnexpectedEOF
	case err != nil:
		return "", 0, 0, err
	case !bytes.HasPrefix(version, []byte("WARC/1.")):
		return "", 0, 0, errors.New("no WARC record where one should be")
	}
	length = -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return "", 0, 0, fmt.Errorf("the head of a record: %w", err)
		}
		name, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(": "))
		switch string(name) {
		case "":
			if length < 0 {
				return "", 0, 0, errors.New("a record without its length")
			}
			return kind, url, length, nil
		case "WARC-Type":
			kind = string(value)
		case "WARC-Target-URI":
			url = xxhash.Sum64(value)
		case "Content-Length":
			length, err = strconv.Atoi(string(value))
			if err != nil || length < 0 {
				return "", 0, 0, fmt.Errorf("a record's length is %q", value)
			}
		}
	}
}
