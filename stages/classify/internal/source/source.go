// Package source reads the pages for verbs that people run: for training, evaluation and
// explanation.
//
// A path is one of
//
//	a folder         with a subfolder for each label: DIR/LABEL/…/FILE. Files beside these folders
//	                 are skipped, and so is everything whose name begins with a dot. A symbolic
//	                 link in it is an error. If Nested is set, a label is the whole path of the
//	                 folder, as of a topic in a tree
//	a page batch     (WARC) whose answers have the attribute label, or whose URLs are in Labels
//	any other file   one page, HTML or text, with or without a header before it
//	-                standard input: a page batch or one page
//
// A header is two or more lines of the form "Name: value" and an empty line, as in HTTP, mail and
// news. An HTTP status line may come first. The header does not belong to the text, but its
// Content-Type is used. A list of labels is a text file. Each line is a name, a tab and a label;
// blank lines and lines that begin with # are ignored.
package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/report"
)

// A Page is a page with its label.
type Page struct {
	Name  string // URL, or path of the file
	Label string // "" if it has none
	judge.Page
}

// A Reader reads pages.
type Reader struct {
	Labels map[string]string // labels of URLs, which override those in a batch; may be nil
	Nested bool              // the label of a file in a folder is the path of its folder, with slashes
	Max    int64             // at most this many decompressed bytes of a page are read
	Stdin  io.Reader
}

// Each calls do with every page at each of the paths. Files are in order of name, answers in the
// order of their batch.
func (r *Reader) Each(ctx context.Context, paths []string, do func(*Page) error) error {
	for _, path := range paths {
		if err := r.each(ctx, path, do); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) each(ctx context.Context, path string, do func(*Page) error) error {
	name, in := "standard input", r.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("read pages: %w", err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return r.folder(ctx, path, do)
		}
		name, in = path, f
	}
	begin := bufio.NewReader(in)
	switch batch, err := isBatch(begin); {
	case err != nil:
		return fmt.Errorf("read pages %s: %w", name, err)
	case batch:
		return r.batch(ctx, path, begin, do)
	}
	return r.page(name, "", begin, do)
}

// folder reads the files in the subfolders of dir.
func (r *Reader) folder(ctx context.Context, dir string, do func(*Page) error) error {
	root := dir + string(filepath.Separator) // behind a link, too
	return filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("read pages: %w", err)
		case ctx.Err() != nil:
			return ctx.Err()
		case file != root && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.Type()&fs.ModeSymlink != 0:
			return fmt.Errorf("read pages: %s is a symbolic link, and links in a folder are not followed: replace it "+
				"by what it leads to", file)
		case !e.Type().IsRegular():
			return nil
		}
		below, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		label, _, deep := strings.Cut(filepath.ToSlash(below), "/")
		if !deep {
			return nil
		}
		if r.Nested {
			label = path.Dir(filepath.ToSlash(below))
		}
		return r.file(file, label, do)
	})
}

// List calls do with the page of every file in a list of labels. The names in the list are relative
// to its folder.
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
	return r.page(path, label, f, do)
}

func (r *Reader) page(name, label string, src io.Reader, do func(*Page) error) error {
	b, err := io.ReadAll(io.LimitReader(src, r.Max))
	if err != nil {
		return fmt.Errorf("read page %s: %w", name, err)
	}
	return do(&Page{Name: name, Label: label, Page: parse(b)})
}

func (r *Reader) batch(ctx context.Context, path string, stdin io.Reader, do func(*Page) error) error {
	return warc.Each(ctx, []string{path}, stdin, report.New(), func(_ *warc.Reader, a *warc.Answer) error {
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

// isBatch reports by the first bytes whether a file is a page batch. An uncompressed batch is an
// error, because otherwise it would be read as one page with all headers as its text.
func isBatch(in *bufio.Reader) (bool, error) {
	const gzip, plain = "\x1f\x8b", "WARC/"
	begin, err := in.Peek(len(plain))
	if err != nil && err != io.EOF {
		return false, err
	}
	if string(begin) == plain {
		return false, errors.New("this WARC file is not compressed; in a page batch each record is a gzip member")
	}
	return bytes.HasPrefix(begin, []byte(gzip)), nil
}
