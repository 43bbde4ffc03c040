package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/formats/warc"
)

// lookUp calls do with the answers of the URLs that are in the indexes.
func (s *searcher) lookUp(urls map[string]bool, do func(event) error) error {
	files := map[string][]batch{} // a transaction may use one name in several queues
	for _, b := range s.batches {
		files[b.name()] = append(files[b.name()], b)
	}
	for _, index := range s.indexes {
		if err := s.lookUpIn(index, urls, files, do); err != nil {
			return err
		}
	}
	return nil
}

func (s *searcher) lookUpIn(index string, urls map[string]bool, files map[string][]batch, do func(event) error) error {
	file, err := os.Open(index)
	if err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	for url := range urls {
		err := cdxj.Find(file, info.Size(), cdxj.Key(url), func(l cdxj.Line) error {
			if l.URL != url {
				return nil // another URL with the same key
			}
			batches := files[l.Filename]
			if batches == nil {
				// Use the base name only: an index must not lead out of the folder.
				batches = []batch{batchOf(filepath.Join(filepath.Dir(index), filepath.Base(l.Filename)))}
			}
			e, err := readFirst(batches, l)
			if err != nil {
				s.skip(batches[0], err)
				return nil
			}
			return do(e)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", index, err)
		}
	}
	return nil
}

// readFirst returns the answer of an index line, from the first of the batches that has it at that
// position.
func readFirst(batches []batch, l cdxj.Line) (e event, err error) {
	var errs []error
	for _, b := range batches {
		if e, err = readAt(b, l); err == nil {
			return e, nil
		}
		errs = append(errs, err)
	}
	return event{}, errors.Join(errs...)
}

// readAt returns the answer of an index line.
func readAt(b batch, l cdxj.Line) (event, error) {
	file, err := os.Open(b.path)
	if err != nil {
		return event{}, fmt.Errorf("the index names a file that does not exist here: %.200q", l.Filename)
	}
	defer file.Close()
	a, err := warc.NewReader(b.path, io.NewSectionReader(file, l.Offset, l.Length)).Next()
	if err != nil {
		return event{}, fmt.Errorf("the index leads to byte %d: %w", l.Offset, err)
	}
	if a.URL() != l.URL {
		return event{}, fmt.Errorf("the index leads to byte %d, which has the answer of another URL", l.Offset)
	}
	return answerOf(b, a, a.Record(), l.Offset), nil
}
