package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/keyed"
)

// A searcher looks for URLs in batches.
type searcher struct {
	log     *slog.Logger
	batches []batch
	nodes   []node
	states  []string // paths of the states' segments
	hash    *keyed.Hash
	indexes []string
}

// errEnough ends a search that has found everything.
var errEnough = errors.New("found")

// answers calls do with the answers of the URLs, in order of their batches. If there are indexes it
// uses them, else it reads the WARC files. If do returns errEnough, answers returns it.
func (s *searcher) answers(ctx context.Context, urls map[string]bool, do func(event) error) error {
	if len(s.indexes) > 0 {
		return s.lookUp(urls, do)
	}
	for _, b := range s.batches {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !isWARC(b.path) {
			continue
		}
		err := readAnswers(b, urls, do)
		if errors.Is(err, errEnough) {
			return err
		}
		s.skip(b, err)
	}
	return nil
}

// records searches the URL batches for the URLs.
func (s *searcher) records(ctx context.Context, urls map[string]bool, f found) error {
	for _, b := range s.batches {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !isWARC(b.path) {
			s.skip(b, readRecords(b, urls, f))
		}
	}
	return nil
}

// skip logs that a batch could not be read. It is silent if the batch no longer exists, because a
// running crawl removes batches.
func (s *searcher) skip(b batch, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("skipped, or read only in part", "batch", b.path, "error", safe(err.Error()))
	}
}

// isWARC reports whether the first gzip member of the file begins with a WARC record.
func isWARC(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 4<<10))
	if err != nil {
		return false
	}
	head := make([]byte, 5)
	_, err = io.ReadFull(z, head)
	return err == nil && string(head) == "WARC/"
}

func readAnswers(b batch, urls map[string]bool, do func(event) error) error {
	r, err := warc.Open(b.path, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		a, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if url := a.URL(); urls[url] {
			if err := do(answerOf(b, a, a.Record(), a.Offset())); err != nil {
				return err
			}
		}
	}
}

// tells reports whether a record tells a frontier something of its URL, or of the host, and is no place
// where the URL waits: what fetch learned of a host, what an answer was worth, a link to a URL that was
// let through before, or its rank.
func tells(rec *urlbatch.Record) bool {
	return slices.ContainsFunc([]string{urlbatch.Asked, urlbatch.Worth, urlbatch.Known}, rec.Has)
}

func readRecords(b batch, urls map[string]bool, f found) error {
	r, err := urlbatch.Open(b.path, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		var line *urlbatch.LineError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &line):
		case err != nil:
			return err
		case urls[string(rec.URLBytes())] && !tells(rec):
			f.add(b, rec)
		}
	}
}
