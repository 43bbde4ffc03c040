package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
)

// verify checks the inputs, indexes; with a folder of archive files, that each line leads to its
// record.
func verify(ctx context.Context, env *stage.Env, folder string) error {
	var files *archive
	if folder != "" {
		root, err := os.OpenRoot(folder)
		if err != nil {
			return fmt.Errorf("open the folder of archive files: %w", err)
		}
		files = &archive{root: root, open: map[string]*os.File{}}
		defer files.close()
	}
	return stage.Verify(ctx, env, func(path string) error {
		r, err := cdxj.Open(path, env.Stdin)
		if err != nil {
			return err
		}
		defer r.Close()
		return verifyIndex(ctx, path, r, files)
	})
}

func verifyIndex(ctx context.Context, path string, r *cdxj.Reader, files *archive) error {
	for n := 1; ctx.Err() == nil; n++ {
		text, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line, err := cdxj.Parse(text)
		if err == nil && files != nil {
			err = files.check(line)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return ctx.Err()
}

// archive is the WARC files of a folder. Those that were asked for stay open: an index leads to and
// fro.
type archive struct {
	root *os.Root // a name in an index leads nowhere else
	open map[string]*os.File
}

func (f *archive) close() {
	for _, file := range f.open {
		file.Close()
	}
	f.root.Close()
}

// check reads the record that a line leads to and holds it against the line.
func (f *archive) check(line cdxj.Line) error {
	file, err := f.file(line.Filename)
	if err != nil {
		return err
	}
	if line.Offset < 0 || line.Length < 0 {
		return errors.New("a line without offset or length leads to no record")
	}
	name := fmt.Sprintf("%q at byte %d", line.Filename, line.Offset)
	r := warc.NewReader(name, io.NewSectionReader(file, line.Offset, line.Length))
	a, err := r.Next()
	if err == io.EOF {
		return fmt.Errorf("%s: no answer lies there", name)
	}
	if err != nil {
		return err
	}
	got, err := lineOf(a, line.Filename)
	if err != nil {
		return err
	}
	got.Offset, got.Date = line.Offset, got.Date.UTC().Truncate(time.Second)
	if got != line {
		return fmt.Errorf("%s lies %q, of which the line should be %q", name, got.URL, got.Append(nil))
	}
	return nil
}

func (f *archive) file(name string) (*os.File, error) {
	if file := f.open[name]; file != nil {
		return file, nil
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open archive file: %w", err)
	}
	f.open[name] = file
	return file, nil
}
