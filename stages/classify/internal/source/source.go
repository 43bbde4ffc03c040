// Package source reads pages by hand: to train on, to evaluate with, to explain.
//
// A path is one of
//
//	a folder         with a folder in it for each label: DIR/LABEL/…/FILE. Files beside these folders are left out,
//	                 and so is all whose name begins with a dot
//	a page batch     (WARC) whose answers have the attribute label, or whose URLs stand in Labels
//	any other file   one page, HTML or text, with or without a header above it
//
// A header is two lines or more of "Name: value" and an empty one, as HTTP, mail and news have it, perhaps below a
// status line of HTTP. It is no part of the text; its Content-Type counts. Lists of labels are text, a line each of
// a name, a tab and a label; blank lines and such that begin with # are none.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/report"
	"multitext/stages/internal/urlbatch"
	"multitext/stages/internal/warc"
)

// A Page is a page under its label.
type Page struct {
	Name  string // its URL, or the path of its file
	Label string // "" where it has none
	judge.Page
}

// A Reader reads pages.
type Reader struct {
	Labels map[string]string // of URLs, before what a batch says; may be nil
	Max    int64             // bytes that are read of a page, inflated
	Stdin  io.Reader
}

// Each calls do with every page at path, in order of name or as a batch has them.
func (r *Reader) Each(ctx context.Context, path string, do func(*Page) error) error {
	if path == "-" {
		return r.batch(ctx, path, do)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("read pages: %w", err)
	}
	if info.IsDir() {
		return r.folder(ctx, path, do)
	}
	if batch, err := isBatch(path); err != nil {
		return err
	} else if batch {
		return r.batch(ctx, path, do)
	}
	return r.file(path, "", do)
}

// folder reads the files of a folder of folders.
func (r *Reader) folder(ctx context.Context, dir string, do func(*Page) error) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("read pages: %w", err)
		case ctx.Err() != nil:
			return ctx.Err()
		case path != dir && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !e.Type().IsRegular():
			return nil
		}
		below, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		label, _, deep := strings.Cut(filepath.ToSlash(below), "/")
		if !deep {
			return nil
		}
		return r.file(path, label, do)
	})
}

// List calls do with the page of every file that a list of labels names, relative to the list's folder.
func (r *Reader) List(ctx context.Context, list string, do func(*Page) error) error {
	return eachLabel(list, func(name, label string) error {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(list), name)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return r.file(name, label, do)
	})
}

func (r *Reader) file(path, label string, do func(*Page) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, r.Max))
	if err != nil {
		return fmt.Errorf("read page %s: %w", path, err)
	}
	return do(&Page{Name: path, Label: label, Page: parse(b)})
}

func (r *Reader) batch(ctx context.Context, path string, do func(*Page) error) error {
	return warc.Each(ctx, []string{path}, r.Stdin, report.New(), func(_ *warc.Reader, a *warc.Answer) error {
		p, err := judge.FromAnswer(a, r.Max)
		if err != nil {
			return err
		}
		url := a.Record().URL()
		label, ok := r.Labels[url]
		if !ok {
			label, _ = a.Record().Get(urlbatch.Label)
		}
		return do(&Page{Name: url, Label: label, Page: p})
	})
}

// isBatch tells by its first bytes whether a file is a page batch.
func isBatch(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("read pages: %w", err)
	}
	defer f.Close()
	var head [2]byte
	_, err = io.ReadFull(f, head[:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	return head == [2]byte{0x1f, 0x8b}, err
}
