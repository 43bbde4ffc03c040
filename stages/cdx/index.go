package main

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
)

// index writes a line for each answer in the inputs, sorted within each part of portion bytes. If
// all is set, it also writes lines for answers that say "not modified".
func index(ctx context.Context, env *stage.Env, out string, all bool, portion int) error {
	s := &sorter{out: output.NewWriter(env.Files.Parts(out), env.Report.Made, nil), portion: portion}
	for _, path := range env.Inputs {
		if path == "-" {
			return stage.Usagef("an index contains file names, but standard input has no name: give a file")
		}
		err := warc.Each(ctx, []string{path}, nil, env.Report, func(_ *warc.Reader, a *warc.Answer) error {
			if a.NotModified() && !all {
				env.Report.Reason("not-modified", 1)
				return nil
			}
			line, reason, err := capture(a, filepath.Base(path))
			if err != nil {
				return err
			}
			env.Report.Reason(reason, 1)
			return s.add(line)
		})
		if err != nil {
			return err
		}
	}
	return s.flush()
}

// capture returns the line of an answer and the reason to report for it. The line is nil if the
// answer cannot have one.
func capture(a *warc.Answer, file string) (line []byte, reason string, err error) {
	l, err := lineOf(a, file)
	if err != nil {
		return nil, "", err
	}
	year := l.Date.UTC().Year() // the zone can move the year out of the range of four digits
	switch {
	case l.Date.IsZero() || year < 0 || year > 9999:
		return nil, "bad-date", nil
	case l.Key == "":
		return nil, "no-url", nil
	}
	if line = l.Append(nil); len(line) > cdxj.MaxLine {
		return nil, "too-long", nil
	}
	return line, "indexed", nil
}

// A sorter collects lines, and writes them in sorted order when it holds portion bytes.
type sorter struct {
	out     *output.Writer
	portion int // bytes
	lines   [][]byte
	size    int
}

func (s *sorter) add(line []byte) error {
	if line == nil {
		return nil
	}
	s.lines = append(s.lines, line)
	if s.size += len(line); s.size < s.portion {
		return nil
	}
	return s.flush()
}

// flush writes the collected lines as a part.
func (s *sorter) flush() error {
	slices.SortFunc(s.lines, bytes.Compare)
	for _, line := range s.lines {
		if err := s.out.Append(line); err != nil {
			return err
		}
	}
	s.lines, s.size = s.lines[:0], 0
	return s.out.Cut()
}
