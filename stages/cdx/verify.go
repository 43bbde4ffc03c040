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

// verify checks the inputs, which are indexes. If folder names a folder of archive files, verify
// also checks that each line leads to its record.
func verify(ctx context.Context, env *stage.Env, folder string) error {
	var archive *os.Root // a name in an index cannot lead out of the folder
	if folder != "" {
		var err error
		if archive, err = os.OpenRoot(folder); err != nil {
			return fmt.Errorf("open the folder of archive files: %w", err)
		}
		defer archive.Close()
	}
	return stage.Verify(ctx, env, func(path string) error {
		r, err := cdxj.Open(path, env.Stdin)
		if err != nil {
			return err
		}
		defer r.Close()
		return verifyIndex(ctx, path, r, archive)
	})
}

func verifyIndex(ctx context.Context, path string, r *cdxj.Reader, archive *os.Root) error {
	for n := 1; ctx.Err() == nil; n++ {
		text, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line, err := cdxj.Parse(text)
		if err == nil && archive != nil {
			err = check(archive, line)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return ctx.Err()
}

// check reads the record at a line's position and compares it with the line.
func check(archive *os.Root, line cdxj.Line) error {
	file, err := archive.Open(line.Filename)
	if err != nil {
		return fmt.Errorf("open archive file: %w", err)
	}
	defer file.Close()
	if line.Offset < 0 || line.Length < 0 {
		return errors.New("a line without offset or length leads to no record")
	}
	name := fmt.Sprintf("%q at byte %d", line.Filename, line.Offset)
	r := warc.NewReader(name, io.NewSectionReader(file, line.Offset, line.Length))
	a, err := r.Next()
	if err == io.EOF {
		return fmt.Errorf("%s: there is no answer at this position", name)
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
		return fmt.Errorf("%s: the record has the URL %q, so its line should be %q", name, got.URL, got.Append(nil))
	}
	return nil
}
